package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases for the identity of a record: all three names count, to the byte, whatever the digest is. */
@Tag("invariant-9")
abstract class IdentityCases extends StoreCases {
    IdentityCases(StoreContract contract) {
        super(contract);
    }

    /** Ids that share the digest of a record but not its names. */
    private List<RecordId> forgeries(RecordId id) {
        return List.of(
                RecordId.stored(id.high(), id.low(), "other", id.operation(), id.key()),
                RecordId.stored(id.high(), id.low(), id.scope(), id.operation() + "x", id.key()),
                RecordId.stored(
                        id.high(),
                        id.low(),
                        id.scope(),
                        id.operation(),
                        id.key().toUpperCase(Locale.ROOT)));
    }

    @ParameterizedTest
    @EnumSource(Status.class)
    void a_forged_id_is_refused_and_never_answered(Status status) {
        StoredRecord there = bring(status, LONG);
        for (RecordId forged : forgeries(there.id())) {
            refused(() -> claim(bare(forged, LONG)));
            refused(() -> claim(bare(forged, LONG).retaking(TakeoverReason.FREE, there, List.of())));
            refused(() -> claim(Claim.of(forged, there.owner(), LONG)));
            refused(() -> update(
                    new Ticket(forged, there.owner(), there.fence()), new Change.Complete(value("stolen"), KEEP)));
            refused(() -> update(new Ticket(forged, there.owner(), there.fence()), new Change.Release(KEEP)));
            refused(() -> store().find(forged));
        }
        unchanged(RecordImage.of(there), there.id());
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(RuntimeException.class);
    }

    @Test
    void hashed_keys_and_plain_ones_meet() {
        String key = "key-" + UUID.randomUUID();
        meets(RecordId.of("scope", operation, key), RecordId.hashed("scope", operation, key));
        String other = "key-" + UUID.randomUUID();
        meets(RecordId.hashed("scope", operation, other), RecordId.of("scope", operation, other));
    }

    private void meets(RecordId first, RecordId second) {
        Ticket ticket = win(bare(first, LONG));
        meet(bare(second, LONG));
        assertThat(find(second).id().key()).as("the key as it was written").isEqualTo(first.key());
        apply(new Ticket(second, ticket.owner(), ticket.fence()), new Change.Complete(value("done"), KEEP));
        assertThat(meet(bare(second, LONG)).record().payload()).isEqualTo(value("done"));
    }

    @Test
    void a_hashed_key_never_reaches_the_store() {
        RecordId id = RecordId.hashed("scope", operation, "secret");
        win(bare(id, LONG));
        assertThat(find(id).id().key()).startsWith("sha256:").doesNotContain("secret");
    }

    @Test
    void names_do_not_run_into_each_other() {
        String key = UUID.randomUUID().toString();
        List<RecordId> ids = List.of(
                RecordId.of("a", "bc" + operation, key),
                RecordId.of("ab", "c" + operation, key),
                RecordId.of("", "abc" + operation, key),
                RecordId.of("abc" + operation, "", key),
                RecordId.of("a", "b", "c" + operation + key));
        apart(ids);
    }

    @Test
    void keys_are_told_apart_to_the_byte() {
        String unique = UUID.randomUUID().toString();
        List<RecordId> ids = new ArrayList<>();
        String[] keys = {
            "key",
            "KEY",
            "Key",
            "key ",
            " key",
            "key\u00a0",
            "ke\u0301y",
            "k\u00e9y",
            "kéy\u200b",
            "ß",
            "ss",
            "SS",
            "ı",
            "i",
            "İ",
            "😀",
            "😁",
            "%",
            "_",
            "k'ey",
            "k\\ey"
        };
        for (String key : keys) {
            ids.add(RecordId.of(unique, operation, key));
            ids.add(RecordId.of(unique + key, operation, "key"));
        }
        String full = "k".repeat(254);
        ids.add(RecordId.of(unique, operation, full + "x"));
        ids.add(RecordId.of(unique, operation, full + "y"));
        ids.add(RecordId.of(unique, operation, "😀".repeat(127)));
        ids.add(RecordId.of("s".repeat(255), operation, unique));
        apart(ids);
    }

    private void apart(List<RecordId> ids) {
        List<Ticket> tickets = ids.stream().map(id -> win(bare(id, LONG))).toList();
        for (Ticket ticket : tickets) {
            StoredRecord record = find(ticket.id());
            assertThat(record.ticket()).isEqualTo(ticket);
            assertThat(List.of(
                            record.id().scope(),
                            record.id().operation(),
                            record.id().key()))
                    .isEqualTo(List.of(
                            ticket.id().scope(),
                            ticket.id().operation(),
                            ticket.id().key()));
        }
    }

    @Test
    void what_was_never_claimed_is_not_found() {
        RecordSnapshot nothing = store().find(id());
        assertThat(nothing).isNull();
    }
}
