package io.onefold.redis;

/**
 * A number to which each cause adds once: clicks by the id of their event, points by the id of the order that earned them.
 *
 * <pre>{@code
 * AddResult outcome = effects.counter("points:ann").add("order-9", 120);
 * }</pre>
 */
public final class RedisCounter {
    private final RedisObject thing;

    RedisCounter(RedisObject thing) {
        this.thing = thing;
    }

    /**
     * Adds an amount, or takes away a negative one; the number may fall below zero.
     *
     * @param cause the same in every repetition, and another for everything else
     */
    public AddResult add(String cause, long amount) {
        if (amount == 0) {
            throw new IllegalArgumentException("amount must not be 0");
        }
        return AddOnce.call(thing, thing.beside("cause", cause), "add", amount);
    }

    /** What it is by now; 0 if nobody has added anything. */
    public long value() {
        return thing.number();
    }
}
