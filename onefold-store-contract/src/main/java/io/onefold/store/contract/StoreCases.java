package io.onefold.store.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoredFingerprint;
import io.onefold.store.StoredRecord;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The base of a store's cases: its call styles, names of their own, and records in every state. */
@ParameterizedClass(name = "{0}")
@EnumSource(StoreCallStyle.class)
@Timeout(60)
abstract class StoreCases {
    static final Duration LONG = Duration.ofHours(1);
    static final Duration SHORT = Duration.ofMillis(50);
    static final Duration MICRO = Duration.ofNanos(1_000);
    static final RetentionPeriod KEEP = RetentionPeriod.of(LONG);

    @Parameter
    StoreCallStyle door = StoreCallStyle.BLOCKING;

    /** Nobody else's, so that listings show this case's records alone. */
    final String operation = "operation-" + UUID.randomUUID();

    private final StoreContract contract;

    StoreCases(StoreContract contract) {
        this.contract = contract;
    }

    final StoreFixture fixture() {
        return contract.fixture();
    }

    final Store store() {
        return fixture().store();
    }

    final RecordId id() {
        return RecordId.of("scope", operation, "key-" + UUID.randomUUID());
    }

    /** A claim with everything that a claim can carry. */
    final Claim full(RecordId id, Duration lease) {
        StoredFingerprint print = StoredFingerprint.of(() -> bytes("hash"), () -> bytes("fields"));
        List<byte[]> superseded = List.of(bytes("older"), bytes("old"));
        return new Claim(
                id, owner(), lease, 3, print, superseded, bytes("checkpoint"), "biz-" + id.key(), null, false, false);
    }

    final Claim bare(RecordId id, Duration lease) {
        return Claim.of(id, owner(), lease);
    }

    final ClaimResult claim(Claim claim) {
        return door.claim(store(), claim);
    }

    final UpdateResult update(Ticket ticket, Change change) {
        return door.update(store(), ticket, change);
    }

    final Ticket win(Claim claim) {
        ClaimResult claimed = claim(claim);
        assertThat(claimed).as("answer to %s", claim).isInstanceOf(ClaimResult.Acquired.class);
        return new Ticket(claim.id(), claim.owner(), ((ClaimResult.Acquired) claimed).fence());
    }

    final RecordSnapshot meet(Claim claim) {
        ClaimResult claimed = claim(claim);
        assertThat(claimed).as("answer to %s", claim).isInstanceOf(RecordSnapshot.class);
        return (RecordSnapshot) claimed;
    }

    final void apply(Ticket ticket, Change change) {
        assertThat(update(ticket, change)).as("%s", change).isEqualTo(UpdateResult.APPLIED);
    }

    final void lose(Ticket ticket, Change change) {
        assertThat(update(ticket, change)).as("%s", change).isEqualTo(UpdateResult.LOST);
    }

    final StoredRecord find(RecordId id) {
        return Objects.requireNonNull(store().find(id), id + " is not there").record();
    }

    final boolean absent(RecordId id) {
        return store().find(id) == null;
    }

    final RecordImage picture(RecordId id) {
        return RecordImage.of(find(id));
    }

    final void unchanged(RecordImage before, RecordId id) {
        assertThat(picture(id)).isEqualTo(before);
    }

    /** A new record in this state, whose lease or keep is as long as the time given. */
    final StoredRecord bring(Status status, Duration time) {
        return bring(status, RetentionPeriod.of(time));
    }

    /** A store that forgets by itself may have done so on a slow machine before the record is looked at: then another is brought. */
    final StoredRecord bring(Status status, RetentionPeriod time) {
        Claim claim;
        RecordSnapshot seen;
        do {
            claim = full(id(), status == Status.PROCESSING ? time.duration() : LONG);
            seen = lead(claim, status, time);
        } while (seen == null && fixture().forgetsByItself());
        return brought(claim, seen, status);
    }

    final StoredRecord bring(Claim claim, Status status, RetentionPeriod keep) {
        return brought(claim, lead(claim, status, keep), status);
    }

    private @Nullable RecordSnapshot lead(Claim claim, Status status, RetentionPeriod keep) {
        Ticket ticket = win(claim);
        switch (status) {
            case PROCESSING -> {}
            case SUCCESS -> apply(ticket, new Change.Complete(value("first"), keep));
            case FAILED -> apply(ticket, new Change.Fail(payload(ResultPayload.Kind.FAILURE, "first"), keep));
            case UNKNOWN -> apply(ticket, new Change.MarkUnknown(payload(ResultPayload.Kind.NOTE, "first"), false));
            case FREE -> apply(ticket, new Change.Release(keep));
        }
        return store().find(claim.id());
    }

    private static StoredRecord brought(Claim claim, @Nullable RecordSnapshot seen, Status status) {
        StoredRecord record =
                Objects.requireNonNull(seen, claim.id() + " is not there").record();
        assertThat(record.status()).isEqualTo(status);
        return record;
    }

    static UUID owner() {
        return UUID.randomUUID();
    }

    static ResultPayload value(String text) {
        return payload(ResultPayload.Kind.VALUE, text);
    }

    static ResultPayload payload(ResultPayload.Kind kind, String text) {
        return new ResultPayload(kind, "text", 1, null, bytes(text));
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
