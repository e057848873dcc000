package io.onefold.store;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** The verbs on one record, called by several threads at once: whatever they answer, they could have answered one by one. */
@Param(name = "owner", gen = IntGen.class, conf = "1:3")
@Param(name = "fence", gen = IntGen.class, conf = "1:3")
public abstract class LincheckedStore {
    private static final RecordId ID = RecordId.of("", "op", "key");
    private static final ResultPayload RESULT =
            new ResultPayload(ResultPayload.Kind.NOTHING, "json", 1, null, new byte[0]);
    private static final StoredRecord.RecordTimes TIMES = new StoredRecord.RecordTimes(1, 1, 1, 1, 1);
    private static final StoredRecord.RecordFingerprints PRINTS = new StoredRecord.RecordFingerprints(
            StoredFingerprint.NONE.hash(), StoredFingerprint.NONE.fields(), List.of());
    private static final RetentionPeriod KEEP = RetentionPeriod.of(Duration.ofHours(1));

    private final Store store;

    /** The clock stands still, so that fences are 1, 2, 3. */
    protected LincheckedStore(Store store) {
        this.store = store;
    }

    @Operation
    public String claim(@Param(name = "owner") int owner) {
        return said(store.claim(claimOf(owner)));
    }

    @Operation
    public String retake(@Param(name = "owner") int owner, @Param(name = "fence") int fence) {
        StoredRecord seen = new StoredRecord(
                ID,
                Status.FREE,
                new UUID(0, 0),
                fence,
                1,
                TIMES,
                PRINTS,
                null,
                claimOf(owner).checkpoint(),
                null);
        return said(store.claim(claimOf(owner).retaking(Takeover.TakeoverReason.FREE, seen, List.of())));
    }

    @Operation
    public UpdateResult complete(@Param(name = "owner") int owner, @Param(name = "fence") int fence) {
        return store.update(ticket(owner, fence), new Change.Complete(RESULT, KEEP));
    }

    @Operation
    public UpdateResult release(@Param(name = "owner") int owner, @Param(name = "fence") int fence) {
        return store.update(ticket(owner, fence), new Change.Release(KEEP));
    }

    @Operation
    public UpdateResult doubt(@Param(name = "owner") int owner, @Param(name = "fence") int fence) {
        return store.update(ticket(owner, fence), new Change.MarkUnknown(RESULT, false));
    }

    @Operation
    public String find() {
        RecordSnapshot seen = store.find(ID);
        return seen == null ? "absent" : said(seen);
    }

    /** How to explore; a store made of others may take those for granted. */
    protected ModelCheckingOptions model() {
        return new ModelCheckingOptions();
    }

    @Test
    void is_linearizable_in_the_model() {
        model().iterations(5)
                .invocationsPerIteration(200)
                .threads(2)
                .actorsPerThread(3)
                .check(getClass());
    }

    @Test
    void is_linearizable_under_stress() {
        new StressOptions()
                .iterations(5)
                .invocationsPerIteration(1_000)
                .threads(3)
                .actorsPerThread(3)
                .check(getClass());
    }

    private static Claim claimOf(int owner) {
        return Claim.of(ID, new UUID(0, owner), Duration.ofHours(1));
    }

    private static Ticket ticket(int owner, int fence) {
        return new Ticket(ID, new UUID(0, owner), fence);
    }

    private static String said(ClaimResult claimed) {
        if (claimed instanceof ClaimResult.Acquired won) {
            return "won " + won.fence();
        }
        StoredRecord record = ((RecordSnapshot) claimed).record();
        return record.status() + " " + record.fence() + " of " + record.owner().getLeastSignificantBits();
    }
}
