package io.onefold.store.contract;

import io.onefold.store.Change;
import io.onefold.store.RecordId;
import io.onefold.store.ResultPayload;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The history of a store's results, and the check that it is possible. A record is a write-once register for each of
 * its fences, so the check needs no search:
 *
 * <ul>
 *   <li>a fence has one owner;
 *   <li>a later result does not go back to a lower fence;
 *   <li>changes that exclude each other were not both applied under one ticket;
 *   <li>a record at its end was ended by a change that was asked for under its fence, and shows the same end to all; or it is the end
 *       of a lower fence, put back because the attempt that was to overwrite it had no effect.
 * </ul>
 */
final class CallHistory {
    private final long seed;
    private final AtomicLong clock = new AtomicLong();
    private final Queue<HistoryEvent> events = new ConcurrentLinkedQueue<>();

    CallHistory(long seed) {
        this.seed = seed;
    }

    /** An order in which what ended before another began has the lower number. */
    long now() {
        return clock.incrementAndGet();
    }

    void won(Ticket ticket, long began) {
        add(ticket.id(), ticket.fence(), ticket.owner(), "won", null, began);
    }

    void saw(StoredRecord record, long began) {
        add(record.id(), record.fence(), record.owner(), "saw " + record.status(), record, began);
    }

    /** From a copy, which may be of long ago. */
    void heard(StoredRecord record) {
        add(record.id(), record.fence(), record.owner(), "heard " + record.status(), record, 0);
    }

    void updated(Ticket ticket, Change change, UpdateResult updated, long began) {
        if (updated == UpdateResult.APPLIED) {
            add(
                    ticket.id(),
                    ticket.fence(),
                    ticket.owner(),
                    "applied " + change.getClass().getSimpleName(),
                    change,
                    began);
        }
    }

    private void add(RecordId id, long fence, UUID owner, String what, @Nullable Object detail, long began) {
        events.add(new HistoryEvent(id, fence, owner, what, detail, began, clock.incrementAndGet()));
    }

    int size() {
        return events.size();
    }

    void check() {
        Map<RecordId, List<HistoryEvent>> byRecord = events.stream().collect(Collectors.groupingBy(HistoryEvent::id));
        byRecord.values().forEach(this::checkRecord);
    }

    private void checkRecord(List<HistoryEvent> all) {
        neverBack(all);
        Map<Long, List<HistoryEvent>> byFence =
                all.stream().collect(Collectors.groupingBy(HistoryEvent::fence, TreeMap::new, Collectors.toList()));
        Map<UUID, Change.Settle> settlers = new HashMap<>();
        for (HistoryEvent event : all) {
            if (event.detail instanceof Change.Settle settle) {
                settlers.put(settle.settler(), settle);
            }
        }
        Set<ResultPayload> before = new HashSet<>();
        for (List<HistoryEvent> round : byFence.values()) {
            oneOwner(round);
            nothingExcluded(round);
            oneEnd(round, settlers, freed(all, round.get(0)) ? before : Set.of());
            round.forEach(event -> before.addAll(asked(event)));
            Change.Settle settle = settlers.get(round.get(0).owner);
            if (settle != null && settle.payload() != null) {
                before.add(settle.payload());
            }
        }
    }

    /** Checks that a call that began after a result was given sees the fence of that result or a higher one. */
    private void neverBack(List<HistoryEvent> all) {
        List<HistoryEvent> timed = all.stream().filter(event -> event.began > 0).toList();
        List<HistoryEvent> ended = timed.stream()
                .sorted(Comparator.comparingLong(HistoryEvent::ended))
                .toList();
        List<HistoryEvent> begun = timed.stream()
                .sorted(Comparator.comparingLong(HistoryEvent::began))
                .toList();
        HistoryEvent highest = null;
        int next = 0;
        for (HistoryEvent event : begun) {
            while (next < ended.size() && ended.get(next).ended < event.began) {
                HistoryEvent before = ended.get(next++);
                highest = highest == null || before.fence > highest.fence ? before : highest;
            }
            // a release that is repeated is answered as the first time, whatever has come since
            boolean repeated = event.detail instanceof Change.Release
                    && timed.stream()
                            .anyMatch(first -> first.detail instanceof Change.Release
                                    && first.fence == event.fence
                                    && first.ended < event.began);
            if (highest != null && event.fence < highest.fence && !repeated) {
                fail("a fence went back", List.of(highest, event));
            }
        }
    }

    private void oneOwner(List<HistoryEvent> round) {
        if (round.stream().map(HistoryEvent::owner).distinct().count() > 1) {
            fail("a fence has two owners", round);
        }
    }

    private void nothingExcluded(List<HistoryEvent> round) {
        Set<String> applied = new HashSet<>();
        int settled = 0;
        for (HistoryEvent event : round) {
            if (event.detail instanceof Change) {
                applied.add(event.what);
                settled += event.detail instanceof Change.Settle ? 1 : 0;
            }
        }
        applied.retainAll(Set.of("applied Complete", "applied Fail", "applied Release", "applied Settle"));
        if (applied.size() > 1 || settled > 1 || doubtedAfterItsEnd(round)) {
            fail("changes that exclude each other were applied", round);
        }
    }

    /**
     * Returns true if the record was marked as unknown after its owner had reported the end. Only the other order is
     * allowed.
     */
    private static boolean doubtedAfterItsEnd(List<HistoryEvent> round) {
        long ended = round.stream()
                .filter(event -> event.detail instanceof Change.Complete
                        || event.detail instanceof Change.Fail
                        || event.detail instanceof Change.Release)
                .mapToLong(HistoryEvent::ended)
                .min()
                .orElse(Long.MAX_VALUE);
        return round.stream().anyMatch(event -> event.detail instanceof Change.MarkUnknown && event.began > ended);
    }

    /** Returns true if this end was put back: its owner reported for a lower fence that nothing was carried out. */
    private static boolean freed(List<HistoryEvent> all, HistoryEvent end) {
        return all.stream()
                .anyMatch(event -> event.fence < end.fence
                        && ((event.detail instanceof Change.Release
                                        && new Ticket(event.id, event.owner, event.fence)
                                                .withdrawn()
                                                .equals(end.owner))
                                || (event.detail instanceof Change.Settle settle
                                        && settle.to() == Status.FREE
                                        && settle.settler().equals(end.owner))));
    }

    private static Set<ResultPayload> asked(HistoryEvent event) {
        if (event.detail instanceof Change.Complete complete) {
            return Set.of(complete.result());
        }
        return event.detail instanceof Change.Fail fail ? Set.of(fail.failure()) : Set.of();
    }

    /**
     * Requires one end, which somebody asked for.
     *
     * @param before ends that may have been put back
     */
    private void oneEnd(List<HistoryEvent> round, Map<UUID, Change.Settle> settlers, Set<ResultPayload> before) {
        Set<ResultPayload> ends = new HashSet<>();
        Set<Status> states = new HashSet<>();
        for (HistoryEvent event : round) {
            if (event.detail instanceof StoredRecord record && record.status().finished()) {
                states.add(record.status());
                ResultPayload payload = record.payload();
                if (payload == null) {
                    fail("a finished record has no payload", round);
                } else {
                    ends.add(payload);
                }
            }
        }
        if (ends.size() > 1 || states.size() > 1) {
            fail("a record had two ends under one fence", round);
        }
        if (!ends.isEmpty() && ends.stream().noneMatch(end -> before.contains(end) || asked(end, round, settlers))) {
            fail("a record ended as nobody asked", round);
        }
    }

    private static boolean asked(ResultPayload end, List<HistoryEvent> round, Map<UUID, Change.Settle> settlers) {
        Change.Settle settle = settlers.get(round.get(0).owner);
        if (settle != null && end.equals(settle.payload())) {
            return true;
        }
        return round.stream().anyMatch(event -> asked(event).contains(end));
    }

    private void fail(String what, List<HistoryEvent> events) {
        List<HistoryEvent> inOrder = new ArrayList<>(events);
        inOrder.sort(Comparator.comparingLong(HistoryEvent::began));
        throw new AssertionError("seed " + seed + ": " + what + "\n"
                + inOrder.stream().map(HistoryEvent::toString).collect(Collectors.joining("\n")));
    }

    private record HistoryEvent(
            RecordId id,
            long fence,
            UUID owner,
            String what,
            @Nullable Object detail,
            long began,
            long ended) {
        @Override
        public String toString() {
            return began + "–" + ended + " " + id + " fence " + fence + " " + owner + " " + what;
        }
    }
}
