package io.onefold.redis;

/** What became of adding to a {@link RedisCounter} or filling a {@link RedisStock}. */
public sealed interface AddResult {

    /** Whether the cause has had its effect, now or before. */
    default boolean done() {
        return false;
    }

    /**
     * This call did it.
     *
     * @param value what it became
     */
    record Added(long value) implements AddResult {
        @Override
        public boolean done() {
            return true;
        }
    }

    /**
     * The same cause had done the same before, or in this very call, whose answer was lost and which was sent again.
     *
     * @param value what it became then
     */
    record AlreadyAdded(long value) implements AddResult {
        @Override
        public boolean done() {
            return true;
        }
    }

    /**
     * The same cause had done something else before: another amount, or set instead of added. Nothing was done now.
     *
     * @param amount what it added or set then
     */
    record AmountDiffers(long amount) implements AddResult {}
}
