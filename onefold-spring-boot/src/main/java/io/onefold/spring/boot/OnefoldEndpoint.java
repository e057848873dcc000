package io.onefold.spring.boot;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.http.Caller;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordPage;
import io.onefold.store.StoredRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** Shows operations and records, and changes nothing. Keys are shown in their safe form, results not at all. */
@Endpoint(id = "onefold", defaultAccess = Access.READ_ONLY)
final class OnefoldEndpoint {
    private static final int MOST = 100;

    private final Onefold onefold;
    private final OperationCatalog operations;

    OnefoldEndpoint(Onefold onefold, OperationCatalog operations) {
        this.onefold = onefold;
        this.operations = operations;
    }

    /**
     * The operations and what is stuck; or, of one operation, what is stuck; or, with a key, its record. All this is asked for by
     * parameters, since many names have slashes, which nobody lets through in a path.
     *
     * @param tenant of whose requests the key is, where there are several
     * @param user whose key it is, as the application knows them
     * @param issuer who vouches for the user, or the alias of it, where there is any
     * @param scope in place of these, where the operation has a scope of its own: its parts
     */
    @ReadOperation
    @SuppressWarnings("deprecation") // Spring Boot 3 knows what is optional by Spring's own annotation alone
    Object show(
            @org.springframework.lang.Nullable @Nullable String operation,
            @org.springframework.lang.Nullable @Nullable String key,
            @org.springframework.lang.Nullable @Nullable String tenant,
            @org.springframework.lang.Nullable @Nullable String user,
            @org.springframework.lang.Nullable @Nullable String issuer,
            @org.springframework.lang.Nullable @Nullable List<String> scope) {
        if (operation == null) {
            return overview();
        }
        if (key == null) {
            return views(onefold.store().list(RecordFilter.stuck().operation(operation), null, MOST));
        }
        try {
            return records(
                    Operation.of(operation), key, new Caller(tenant, user, issuer), scope == null ? List.of() : scope);
        } catch (IllegalArgumentException e) {
            throw new InvalidEndpointRequestException(String.valueOf(e.getMessage()), String.valueOf(e.getMessage()));
        }
    }

    EndpointOverview overview() {
        RecordPage page = onefold.store().list(RecordFilter.stuck(), null, MOST);
        return new EndpointOverview(operations.all(), views(page), page.next() != null);
    }

    /** Whether keys are hashed or tokens is for the operation to know; here, each is tried. */
    private List<RecordView> records(Operation<Void> operation, String value, Caller caller, List<String> scope) {
        Key plain = Key.of(value);
        List<Key> keys = scope.isEmpty()
                ? List.of(caller.in(plain), caller.token(value))
                : List.of(plain.in(scope.toArray(String[]::new)));
        for (Key key : keys) {
            for (Operation<Void> named : List.of(operation, operation.hashKeys())) {
                StoredRecord found = onefold.find(named, key).orElse(null);
                if (found != null) {
                    return List.of(RecordView.of(found));
                }
            }
        }
        return List.of();
    }

    private static List<RecordView> views(RecordPage page) {
        List<RecordView> views = new ArrayList<>();
        page.records().forEach(record -> views.add(RecordView.of(record)));
        return views;
    }

    /**
     * @param stuck the first of them
     * @param moreStuck whether there are more
     */
    record EndpointOverview(
            List<OperationCatalog.OperationView> operations, List<RecordView> stuck, boolean moreStuck) {}

    /**
     * @param record the safe form of what identifies it
     * @param expireAt when the keep is over; null while that is not known
     */
    record RecordView(
            String operation,
            String record,
            String status,
            int attempts,
            long fence,
            @Nullable String bizId,
            Instant createdAt,
            Instant updatedAt,
            @Nullable Instant expireAt) {

        static RecordView of(StoredRecord record) {
            StoredRecord.RecordTimes times = record.times();
            return new RecordView(
                    record.id().operation(),
                    record.id().safe(),
                    record.status().name().toLowerCase(Locale.ROOT),
                    record.attempts(),
                    record.fence(),
                    record.bizId(),
                    instant(times.createdAt()),
                    instant(times.updatedAt()),
                    record.status().sweepable() ? instant(times.expireAt()) : null);
        }

        private static Instant instant(long micros) {
            return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        }
    }
}
