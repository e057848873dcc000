package io.onefold.redis;

/** What became of giving back what an order took from a {@link RedisStock}. In each case the order takes nothing any more. */
public sealed interface GiveBackResult {

    /**
     * This call gave it back.
     *
     * @param left what is there with it
     */
    record GivenBack(long quantity, long left) implements GiveBackResult {}

    /**
     * It had been given back before, or in this very call, whose answer was lost and which was sent again.
     *
     * @param left what was there then
     */
    record AlreadyGivenBack(long quantity, long left) implements GiveBackResult {}

    /** The order has taken nothing, or that is forgotten. Should its deduction still come, it is refused. */
    record NothingTaken() implements GiveBackResult {}
}
