package io.onefold.test;

import io.onefold.test.CallResult.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The results of several equal calls. Every expectation that does not hold shows them all. */
public final class CallResults {
    private final List<CallResult> replies;
    private final @Nullable Integer counted;

    /**
     * @param counted executions, if they were counted
     */
    CallResults(List<CallResult> replies, @Nullable Integer counted) {
        this.replies = List.copyOf(replies);
        this.counted = counted;
    }

    /** In the order in which they were begun, as far as they were begun in order. */
    public List<CallResult> list() {
        return replies;
    }

    /** One did the work. */
    public CallResults ranOnce() {
        return ran(1);
    }

    /** So many did the work: by what they say, and by the count, if there is one. */
    public CallResults ran(int times) {
        int told = count(Kind.RAN);
        int silent = count(Kind.RETURNED) + count(Kind.THREW);
        if (counted != null) {
            require(counted == times, "expected " + times + " to run, but counted " + counted);
            require(
                    told <= times && told + silent >= times,
                    "expected " + times + " to run and counted so many, but " + told + " say that they did");
            return this;
        }
        requireTold();
        return expect("to run", times, told);
    }

    /** Expects that so many calls got the response to the first call. */
    public CallResults replayed(int times) {
        if (counted != null && count(Kind.RETURNED) > 0) {
            int answered = (int) replies.stream().filter(CallResult::answered).count();
            // of those who threw, nobody says whether they had run
            int least = Math.max(0, answered - counted);
            int most = answered - Math.max(0, counted - count(Kind.THREW));
            return expect("to be replayed", times, Math.max(least, Math.min(times, most)));
        }
        requireTold();
        return expect("to be replayed", times, count(Kind.REPLAYED));
    }

    /**
     * Expects that so many calls were rejected: as duplicates, for want of a key or a token, or because there is no
     * store.
     */
    public CallResults refused(int times) {
        return expect("to be refused", times, count(Kind.REFUSED));
    }

    /** So many had used their key for something else. */
    public CallResults conflicts(int times) {
        return expect("to be in conflict", times, count(Kind.CONFLICT));
    }

    /** Expects that so many calls were told that another is in progress. */
    public CallResults busy(int times) {
        return expect("to be told to wait", times, count(Kind.BUSY));
    }

    /** Expects that so many calls were told that the outcome of an earlier one is unknown. */
    public CallResults unknown(int times) {
        return expect("to be told that nobody knows", times, count(Kind.UNKNOWN));
    }

    /**
     * Expects that so many calls waited for another, and were told that it failed. See
     * {@link io.onefold.Operation#waitersShareFailure()}.
     */
    public CallResults attemptFailed(int times) {
        return expect("to be told that the attempt they waited for has failed", times, count(Kind.ATTEMPT_FAILED));
    }

    /** All that ran or were replayed got the same: status, type, location and body, or an equal value. */
    public CallResults sameAnswer() {
        List<CallResult> answers = replies.stream().filter(CallResult::answered).toList();
        require(!answers.isEmpty(), "expected answers to be the same, but there are none");
        CallResult first = answers.get(0);
        require(
                answers.stream()
                        .allMatch(reply ->
                                reply.status() == first.status() && Objects.deepEquals(reply.value(), first.value())),
                "expected answers to be the same, but they differ");
        return this;
    }

    CallResults inTime(Duration deadline) {
        int late = count(Kind.LATE);
        require(late == 0, late + " of " + replies.size() + " had no answer within " + deadline);
        return this;
    }

    private void requireTold() {
        require(
                count(Kind.RETURNED) == 0,
                "what was returned does not say who ran: count executions with counting(...),"
                        + " or return outcomes (attempt instead of run)");
    }

    private CallResults expect(String what, int expected, int actual) {
        require(
                expected == actual,
                "expected " + expected + " of " + replies.size() + " " + what + ", but " + actual
                        + (actual == 1 ? " was" : " were"));
        return this;
    }

    private int count(Kind kind) {
        return (int) replies.stream().filter(reply -> reply.kind() == kind).count();
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            AssertionError error = new AssertionError(otherwise + this);
            replies.stream()
                    .filter(reply -> reply.kind() == Kind.THREW && reply.value() instanceof Throwable)
                    .forEach(reply -> error.addSuppressed((Throwable) Objects.requireNonNull(reply.value())));
            throw error;
        }
    }

    @Override
    public String toString() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < replies.size(); i++) {
            all.append("\n  ").append(i + 1).append(". ").append(replies.get(i));
        }
        return all + (counted == null ? "" : "\n  counted executions: " + counted);
    }
}
