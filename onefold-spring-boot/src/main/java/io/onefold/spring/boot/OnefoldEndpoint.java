package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.spring.Door;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.OperationSettings;
import io.onefold.spring.Policies;
import io.onefold.store.Filter;
import io.onefold.store.Page;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** Shows operations and records, and changes nothing. Keys are shown in their safe form, results not at all. */
@Endpoint(id = "onefold", defaultAccess = Access.READ_ONLY)
final class OnefoldEndpoint {
    private static final int MOST = 100;

    private final Onefold onefold;
    private final IdempotentMethods methods;
    private final Policies policies;
    private final ObjectProvider<HttpReport> http;

    OnefoldEndpoint(Onefold onefold, IdempotentMethods methods, Policies policies, ObjectProvider<HttpReport> http) {
        this.onefold = onefold;
        this.methods = methods;
        this.policies = policies;
        this.http = http;
    }

    /** The operations of annotated methods and of routes, and what is stuck. */
    @ReadOperation
    Overview overview() {
        List<OperationView> operations = new ArrayList<>();
        methods.all().forEach(method -> operations.add(OperationView.of(method)));
        http.ifAvailable(report ->
                report.routes().forEach(route -> operations.add(OperationView.ofRoute(route, policies.of(route)))));
        Page page = onefold.store().list(Filter.stuck(), null, MOST);
        return new Overview(operations, views(page), page.next() != null);
    }

    /**
     * What is stuck of an operation; or, with a key, its record.
     *
     * @param scope whose key it is, as records have it; empty for nobody's in particular
     */
    @ReadOperation
    @SuppressWarnings("deprecation") // Spring Boot 3 knows what is optional by Spring's own annotation alone
    List<RecordView> records(
            @Selector String operation,
            @org.springframework.lang.Nullable @Nullable String key,
            @org.springframework.lang.Nullable @Nullable String scope) {
        if (key == null) {
            return views(onefold.store().list(Filter.stuck().operation(operation), null, MOST));
        }
        Seen seen = onefold.store().find(RecordId.of(scope == null ? "" : scope, operation, key));
        return seen == null ? List.of() : List.of(RecordView.of(seen.record()));
    }

    private static List<RecordView> views(Page page) {
        List<RecordView> views = new ArrayList<>();
        page.records().forEach(record -> views.add(RecordView.of(record)));
        return views;
    }

    /**
     * @param stuck the first of them
     * @param moreStuck whether there are more
     */
    record Overview(List<OperationView> operations, List<RecordView> stuck, boolean moreStuck) {}

    /**
     * How an operation behaves; what is null was not chosen anywhere.
     *
     * @param method null for a route
     * @param key where it stands; null if that is for the route to say
     */
    record OperationView(
            String name,
            @Nullable String method,
            String door,
            String guarantee,
            @Nullable String key,
            boolean derivedName,
            @Nullable Duration keep,
            @Nullable Duration waitFor,
            @Nullable Duration lease,
            @Nullable Duration maxRun,
            boolean rejectsDuplicates,
            boolean safeToRepeat) {

        static OperationView of(IdempotentMethod method) {
            return of(
                    method.name(),
                    method.toString(),
                    method.door(),
                    StartupReport.guarantee(method),
                    method.keyPlace(),
                    method.isDerived(),
                    method.settings());
        }

        static OperationView ofRoute(String name, OperationSettings settings) {
            return of(name, null, Door.HTTP, StartupReport.LEASED, null, false, settings);
        }

        private static OperationView of(
                String name,
                @Nullable String method,
                Door door,
                String guarantee,
                @Nullable String key,
                boolean derived,
                OperationSettings settings) {
            return new OperationView(
                    name,
                    method,
                    door.name().toLowerCase(Locale.ROOT),
                    guarantee,
                    key,
                    derived,
                    settings.keep(),
                    settings.waitFor(),
                    settings.lease(),
                    settings.maxRun(),
                    settings.rejects(),
                    Boolean.TRUE.equals(settings.safeToRepeat()));
        }
    }

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
            StoredRecord.Times times = record.times();
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
