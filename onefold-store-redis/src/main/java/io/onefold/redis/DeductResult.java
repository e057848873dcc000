package io.onefold.redis;

/** What became of an order's call on a {@link RedisStock}. */
public sealed interface DeductResult {

    /** Whether the order has what it asked for, now or since before. */
    default boolean done() {
        return false;
    }

    /**
     * This call took it.
     *
     * @param left what is left
     */
    record Deducted(long left) implements DeductResult {
        @Override
        public boolean done() {
            return true;
        }
    }

    /**
     * The same order had taken the same quantity before, or in this very call, whose answer was lost and which was sent again.
     *
     * @param left what was left then
     */
    record AlreadyDeducted(long left) implements DeductResult {
        @Override
        public boolean done() {
            return true;
        }
    }

    /**
     * There is less than was asked for. Nothing was taken.
     *
     * @param left what there is
     */
    record TooFew(long left) implements DeductResult {}

    /**
     * The same order had taken another quantity before. Nothing was taken now.
     *
     * @param quantity what it took then
     */
    record QuantityDiffers(long quantity) implements DeductResult {}

    /**
     * The order was given back before. Nothing was taken now; a new try needs a new id.
     *
     * @param quantity what it had taken and given back; 0 if it was cancelled before it took anything
     */
    record OrderGivenBack(long quantity) implements DeductResult {}
}
