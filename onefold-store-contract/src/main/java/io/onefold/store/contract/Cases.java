package io.onefold.store.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.Keep;
import io.onefold.store.Payload;
import io.onefold.store.Print;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.store.Ticket;
import io.onefold.store.Updated;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the cases of a store share: its doors, names of their own, and records in every state. */
@ParameterizedClass(name = "{0}")
@EnumSource(Door.class)
@Timeout(60)
abstract class Cases {
    static final Duration LONG = Duration.ofHours(1);
    static final Duration SHORT = Duration.ofMillis(50);
    static final Duration MICRO = Duration.ofNanos(1_000);
    static final Keep KEEP = Keep.of(LONG);

    @Parameter
    Door door = Door.BLOCKING;

    /** Nobody else's, so that listings show this case's records alone. */
    final String operation = "operation-" + UUID.randomUUID();

    private final StoreContract contract;

    Cases(StoreContract contract) {
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
        Print print = Print.of(() -> bytes("hash"), () -> bytes("fields"));
        List<byte[]> superseded = List.of(bytes("older"), bytes("old"));
        return new Claim(
                id, owner(), lease, 3, print, superseded, bytes("checkpoint"), "biz-" + id.key(), null, false, false);
    }

    final Claim bare(RecordId id, Duration lease) {
        return Claim.of(id, owner(), lease);
    }

    final Claimed claim(Claim claim) {
        return door.claim(store(), claim);
    }

    final Updated update(Ticket ticket, Change change) {
        return door.update(store(), ticket, change);
    }

    final Ticket win(Claim claim) {
        Claimed claimed = claim(claim);
        assertThat(claimed).as("answer to %s", claim).isInstanceOf(Claimed.Won.class);
        return new Ticket(claim.id(), claim.owner(), ((Claimed.Won) claimed).fence());
    }

    final Seen meet(Claim claim) {
        Claimed claimed = claim(claim);
        assertThat(claimed).as("answer to %s", claim).isInstanceOf(Seen.class);
        return (Seen) claimed;
    }

    final void apply(Ticket ticket, Change change) {
        assertThat(update(ticket, change)).as("%s", change).isEqualTo(Updated.APPLIED);
    }

    final void lose(Ticket ticket, Change change) {
        assertThat(update(ticket, change)).as("%s", change).isEqualTo(Updated.LOST);
    }

    final StoredRecord find(RecordId id) {
        return Objects.requireNonNull(store().find(id), id + " is not there").record();
    }

    final boolean absent(RecordId id) {
        return store().find(id) == null;
    }

    final Picture picture(RecordId id) {
        return Picture.of(find(id));
    }

    final void unchanged(Picture before, RecordId id) {
        assertThat(picture(id)).isEqualTo(before);
    }

    /** A new record in this state, whose lease or keep is as long as the time given. */
    final StoredRecord bring(Status status, Duration time) {
        return bring(status, Keep.of(time));
    }

    /** A store that forgets by itself may have done so on a slow machine before the record is looked at: then another is brought. */
    final StoredRecord bring(Status status, Keep time) {
        Claim claim;
        do {
            claim = full(id(), status == Status.PROCESSING ? time.duration() : LONG);
            lead(claim, status, time);
        } while (fixture().forgetsByItself() && absent(claim.id()));
        return brought(claim, status);
    }

    final StoredRecord bring(Claim claim, Status status, Keep keep) {
        lead(claim, status, keep);
        return brought(claim, status);
    }

    private void lead(Claim claim, Status status, Keep keep) {
        Ticket ticket = win(claim);
        switch (status) {
            case PROCESSING -> {}
            case SUCCESS -> apply(ticket, new Change.Complete(value("first"), keep));
            case FAILED -> apply(ticket, new Change.Fail(payload(Payload.Kind.FAILURE, "first"), keep));
            case UNKNOWN -> apply(ticket, new Change.Unknown(payload(Payload.Kind.NOTE, "first"), false));
            case FREE -> apply(ticket, new Change.Release(keep));
        }
    }

    private StoredRecord brought(Claim claim, Status status) {
        StoredRecord record = find(claim.id());
        assertThat(record.status()).isEqualTo(status);
        return record;
    }

    static UUID owner() {
        return UUID.randomUUID();
    }

    static Payload value(String text) {
        return payload(Payload.Kind.VALUE, text);
    }

    static Payload payload(Payload.Kind kind, String text) {
        return new Payload(kind, "text", 1, null, bytes(text));
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
