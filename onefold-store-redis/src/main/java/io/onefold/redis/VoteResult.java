package io.onefold.redis;

/** What became of a vote among {@link RedisVotes}. */
public sealed interface VoteResult {

    /** Whether the user's vote is what it was to be, now or since before. */
    default boolean done() {
        return false;
    }

    /** This call counted it, or changed it. */
    record Voted() implements VoteResult {
        @Override
        public boolean done() {
            return true;
        }
    }

    /** The user had voted for the same before, or in this very call, whose answer was lost and which was sent again. */
    record AlreadyVoted() implements VoteResult {
        @Override
        public boolean done() {
            return true;
        }
    }

    /**
     * The user's vote is another, and stands.
     *
     * @param choice what it is
     */
    record VotedDifferently(String choice) implements VoteResult {}

    /** There is no vote to change. */
    record NotVoted() implements VoteResult {}
}
