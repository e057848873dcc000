package io.onefold.http.doors;

import io.onefold.store.Answer;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.ForwardingStore;
import io.onefold.store.Seen;
import io.onefold.store.Status;
import io.onefold.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A store that tells something else of what is under way. */
final class MetStore extends ForwardingStore {
    private final UnaryOperator<Seen> told;

    MetStore(Store behind, UnaryOperator<Seen> told) {
        super(behind);
        this.told = told;
    }

    @Override
    public List<Answer<Claimed>> claimAll(List<Claim> claims) {
        List<Answer<Claimed>> answers = new ArrayList<>();
        for (Answer<Claimed> answer : behind.claimAll(claims)) {
            boolean underWay = answer.get() instanceof Seen met && met.record().status() == Status.PROCESSING;
            answers.add(underWay ? Answer.of(told.apply((Seen) answer.get())) : answer);
        }
        return answers;
    }
}
