package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.PayloadRejectedException;
import io.onefold.store.ResultPayload;
import io.onefold.store.Status;
import io.onefold.store.StoredFingerprint;
import io.onefold.store.StoredRecord;
import io.onefold.store.Ticket;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases for payloads: the store reads exactly the bytes that were written. */
@Tag("invariant-12")
@Tag("invariant-20")
abstract class PayloadCases extends StoreCases {
    PayloadCases(StoreContract contract) {
        super(contract);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 300, 1 << 20})
    void results_come_back_to_the_byte(int size) {
        ResultPayload result = new ResultPayload(ResultPayload.Kind.VALUE, "codec", 2, "key-1", noise(size));
        Ticket ticket = win(bare(id(), LONG));
        apply(ticket, new Change.Complete(result, KEEP));
        assertThat(find(ticket.id()).payload()).isEqualTo(result);
        assertThat(meet(bare(ticket.id(), LONG)).record().payload()).isEqualTo(result);
    }

    @Test
    @Tag("invariant-21")
    void a_payload_that_is_refused_for_good_leaves_the_record_as_it_was_and_the_change_goes_without_it() {
        int refused = fixture().refusedBytes();
        ResultPayload large =
                new ResultPayload(ResultPayload.Kind.VALUE, "codec", 1, null, noise(refused == 0 ? 4 << 20 : refused));
        ResultPayload none = new ResultPayload(ResultPayload.Kind.NOT_KEPT, "codec", 1, null, new byte[0]);
        Ticket ticket = win(bare(id(), LONG));
        if (refused > 0) {
            RecordImage before = RecordImage.of(find(ticket.id()));
            assertThatThrownBy(() -> update(ticket, new Change.Complete(large, KEEP)))
                    .isInstanceOf(PayloadRejectedException.class);
            assertThatThrownBy(() -> update(ticket, new Change.Fail(large, KEEP)))
                    .isInstanceOf(PayloadRejectedException.class);
            assertThat(RecordImage.of(find(ticket.id()))).isEqualTo(before);
        }
        apply(ticket, new Change.Complete(refused > 0 ? none : large, KEEP));
        assertThat(find(ticket.id()).payload()).isEqualTo(refused > 0 ? none : large);
        if (refused > 0) {
            assertThatThrownBy(() -> update(ticket, new Change.Amend(large, KEEP)))
                    .isInstanceOf(PayloadRejectedException.class);
            assertThat(find(ticket.id()).payload()).isEqualTo(none);
        }
    }

    @ParameterizedTest
    @EnumSource(ResultPayload.Kind.class)
    void every_kind_of_payload_comes_back_as_itself(ResultPayload.Kind kind) {
        ResultPayload empty = new ResultPayload(kind, "", 0, null, new byte[0]);
        ResultPayload full = new ResultPayload(kind, "c".repeat(16), Integer.MAX_VALUE, "k".repeat(64), noise(33));
        for (ResultPayload payload : List.of(empty, full)) {
            Ticket completed = win(bare(id(), LONG));
            apply(completed, new Change.Complete(payload, KEEP));
            Ticket failed = win(bare(id(), LONG));
            apply(failed, new Change.Fail(payload, KEEP));
            Ticket doubted = win(bare(id(), LONG));
            apply(doubted, new Change.MarkUnknown(payload, false));
            Ticket settled = win(bare(id(), LONG));
            apply(settled, new Change.Settle(owner(), Status.SUCCESS, payload, KEEP, true));
            for (Ticket ticket : List.of(completed, failed, doubted, settled)) {
                assertThat(find(ticket.id()).payload()).isEqualTo(payload);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 300, 100_000})
    void prints_and_checkpoints_come_back_to_the_byte(int size) {
        List<byte[]> superseded =
                IntStream.range(0, 8).mapToObj(i -> noise(32 + i)).toList();
        byte[] fields = noise(size);
        byte[] checkpoint = noise(size);
        byte[] hash = noise(48);
        Claim claim = new Claim(
                id(),
                owner(),
                LONG,
                1,
                StoredFingerprint.of(() -> hash, () -> fields),
                superseded,
                checkpoint,
                "b".repeat(255),
                null,
                false,
                false);
        Ticket ticket = win(claim);
        apply(ticket, new Change.Renew(LONG));
        StoredRecord record = find(claim.id());
        assertThat(record.prints().hash()).isEqualTo(hash);
        assertThat(record.prints().fields()).isEqualTo(fields);
        assertThat(record.checkpoint()).isEqualTo(checkpoint);
        assertThat(record.bizId()).isEqualTo("b".repeat(255));
        assertThat(RecordImage.of(record).superseded())
                .isEqualTo(superseded.stream()
                        .map(RecordImage::hex)
                        .map(Objects::requireNonNull)
                        .toList());
        byte[] next = noise(size + 1);
        apply(ticket, new Change.SaveCheckpoint(next));
        assertThat(find(claim.id()).checkpoint()).isEqualTo(next);
    }

    @Test
    @Tag("invariant-10")
    void a_fingerprint_without_fields_and_none_at_all_stay_so() {
        byte[] hash = noise(32);
        Claim claim = bare(id(), LONG).print(StoredFingerprint.of(() -> hash, () -> null));
        Ticket ticket = win(claim);
        apply(ticket, new Change.Release(KEEP));
        assertThat(find(claim.id()).prints().hash()).isEqualTo(hash);
        assertThat(find(claim.id()).prints().fields()).isNull();
    }

    private static byte[] noise(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
