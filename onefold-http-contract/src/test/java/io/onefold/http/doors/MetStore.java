package io.onefold.http.doors;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Status;
import io.onefold.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A store that tells something else of what is under way. */
final class MetStore extends ForwardingStore {
    private final UnaryOperator<RecordSnapshot> told;

    MetStore(Store behind, UnaryOperator<RecordSnapshot> told) {
        super(behind);
        this.told = told;
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        List<BatchItemResult<ClaimResult>> answers = new ArrayList<>();
        for (BatchItemResult<ClaimResult> answer : behind.claimAll(claims)) {
            boolean underWay =
                    answer.get() instanceof RecordSnapshot met && met.record().status() == Status.PROCESSING;
            answers.add(underWay ? BatchItemResult.of(told.apply((RecordSnapshot) answer.get())) : answer);
        }
        return answers;
    }
}
