package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordPage;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings: all that matches, nothing else, once each. */
abstract class ListCases extends StoreCases {
    ListCases(StoreContract contract) {
        super(contract);
    }

    @ParameterizedTest
    @EnumSource(Status.class)
    void a_listing_shows_the_states_that_were_asked_for(Status wanted) {
        Map<Status, StoredRecord> records = new EnumMap<>(Status.class);
        for (Status status : Status.values()) {
            records.put(status, bring(status, LONG));
        }
        List<StoredRecord> found = all(RecordFilter.of(wanted).operation(operation), 10);
        assertThat(found)
                .singleElement()
                .extracting(RecordImage::of)
                .isEqualTo(RecordImage.of(Objects.requireNonNull(records.get(wanted))));
        assertThat(all(RecordFilter.of(wanted, Status.values()).operation(operation), 2))
                .hasSize(5);
    }

    @Test
    void a_listing_by_operation_or_business_id_shows_no_others() {
        StoredRecord mine = bring(Status.SUCCESS, LONG);
        StoredRecord sibling = bring(Status.SUCCESS, LONG);
        String bizId = "biz-" + mine.id().key();
        assertThat(ids(all(RecordFilter.of(Status.SUCCESS).bizId(bizId), 10))).containsExactly(mine.id());
        assertThat(ids(all(RecordFilter.of(Status.SUCCESS).bizId(bizId).operation(operation), 10)))
                .containsExactly(mine.id());
        assertThat(ids(all(RecordFilter.of(Status.SUCCESS).operation(operation), 10)))
                .containsExactlyInAnyOrder(mine.id(), sibling.id());
        assertThat(all(RecordFilter.of(Status.SUCCESS).bizId(bizId).operation(operation + "x"), 10))
                .isEmpty();
        assertThat(all(RecordFilter.of(Status.FAILED).bizId(bizId), 10)).isEmpty();
    }

    @Test
    void stuck_are_unknown_outcomes_and_owners_whose_lease_is_over() {
        StoredRecord over = bring(Status.PROCESSING, SHORT);
        fixture().pass(SHORT);
        StoredRecord unknown = bring(Status.UNKNOWN, LONG);
        bring(Status.PROCESSING, LONG);
        bring(Status.SUCCESS, LONG);
        bring(Status.FREE, LONG);
        assertThat(ids(all(RecordFilter.stuck().operation(operation), 1)))
                .containsExactlyInAnyOrder(over.id(), unknown.id());
    }

    @Test
    void a_lock_whose_holder_crashed_is_free_and_not_stuck() {
        RecordId lock = RecordId.of("onefold", "onefold.lock", operation);
        RecordId alike = RecordId.of("scope", "onefold.lock", operation);
        win(bare(lock, SHORT));
        win(bare(alike, SHORT));
        fixture().pass(SHORT);
        assertThat(ids(all(RecordFilter.stuck(), 10))).doesNotContain(lock);
        assertThat(ids(all(RecordFilter.stuck().operation("onefold.lock"), 10)))
                .contains(alike)
                .doesNotContain(lock);
        // whoever looks for claims sees it
        assertThat(ids(all(RecordFilter.of(Status.PROCESSING).operation("onefold.lock"), 10)))
                .contains(lock);
    }

    @Test
    void a_listing_shows_what_is_expired_but_not_yet_swept() {
        Duration tombstone = fixture().forgetsByItself() ? LONG : Duration.ZERO;
        StoredRecord expired = bring(Status.SUCCESS, new RetentionPeriod(SHORT, tombstone));
        fixture().pass(SHORT);
        assertThat(ids(all(RecordFilter.of(Status.SUCCESS).operation(operation), 10)))
                .containsExactly(expired.id());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 50})
    void pages_show_each_record_once_while_others_come_and_change(int limit) {
        RecordFilter filter = RecordFilter.of(Status.PROCESSING).operation(operation);
        Set<RecordId> throughout = new HashSet<>();
        IntStream.range(0, 20)
                .forEach(i -> throughout.add(bring(Status.PROCESSING, LONG).id()));
        List<RecordId> shown = new ArrayList<>();
        String cursor = null;
        int pages = 0;
        do {
            RecordPage page = store().list(filter, cursor, limit);
            assertThat(page.records()).hasSizeLessThanOrEqualTo(limit);
            shown.addAll(ids(page.records()));
            cursor = page.next();
            bring(Status.PROCESSING, LONG);
            bring(Status.SUCCESS, LONG);
            assertThat(++pages).as("pages").isLessThan(100);
        } while (cursor != null);
        assertThat(shown).doesNotHaveDuplicates().containsAll(throughout);
    }

    @Test
    void a_listing_without_matches_is_empty_and_ends() {
        RecordPage page = store().list(RecordFilter.of(Status.FREE).operation(operation), null, 10);
        assertThat(page.records()).isEmpty();
        assertThat(page.next()).isNull();
    }

    private List<StoredRecord> all(RecordFilter filter, int limit) {
        List<StoredRecord> all = new ArrayList<>();
        String cursor = null;
        do {
            RecordPage page = store().list(filter, cursor, limit);
            all.addAll(page.records());
            cursor = page.next();
        } while (cursor != null);
        return all;
    }

    private static List<RecordId> ids(List<StoredRecord> records) {
        return records.stream().map(StoredRecord::id).toList();
    }
}
