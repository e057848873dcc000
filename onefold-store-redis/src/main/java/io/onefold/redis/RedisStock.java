package io.onefold.redis;

import java.util.List;

/**
 * How much there is of an article. It never falls below zero, and each order takes from it once.
 *
 * <pre>{@code
 * RedisStock stock = effects.stock("sku-1");
 * DeductResult outcome = stock.deduct("order-9", 2);
 * if (outcome instanceof DeductResult.TooFew few) {
 *     throw new SoldOut(few.left());
 * } else if (!outcome.done()) {
 *     throw new OrderReused(outcome);   // another quantity, or cancelled
 * }
 * }</pre>
 *
 * {@link #giveBack} undoes it, once, and is the end of the order: whoever deducts under the same id later is told
 * {@link DeductResult.OrderGivenBack}. That holds also where nothing was taken, since the deduction may be on its way still, overtaken by its own
 * cancellation. A new try needs a new id.
 */
public final class RedisStock {
    /** The largest quantity: Lua counts in doubles, which are exact up to here. */
    public static final long MOST = (1L << 53) - 1;

    private static final LuaScript DEDUCT = LuaScript.named("deduct");
    private static final LuaScript GIVE_BACK = LuaScript.named("giveback");

    private final RedisObject thing;

    RedisStock(RedisObject thing) {
        this.thing = thing;
    }

    /** Takes a quantity for an order. One that finds too little takes nothing and is not noted: it may come again. */
    public DeductResult deduct(String order, long quantity) {
        String key = thing.beside("order", order);
        List<String> answer = thing.call(DEDUCT, key, Long.toString(quantity(1, quantity)));
        if (answer.size() != 2) {
            throw RedisObject.unheardOf(answer);
        }
        long number = Long.parseLong(answer.get(1));
        return switch (answer.get(0)) {
            case "taken" -> new DeductResult.Deducted(number);
            case "before" -> new DeductResult.AlreadyDeducted(number);
            case "short" -> new DeductResult.TooFew(number);
            case "other" -> new DeductResult.QuantityDiffers(number);
            case "cancelled" -> new DeductResult.OrderGivenBack(number);
            default -> throw RedisObject.unheardOf(answer);
        };
    }

    /** Gives back what an order took, exactly that and once, and cancels the order. */
    public GiveBackResult giveBack(String order) {
        List<String> answer = thing.call(GIVE_BACK, thing.beside("order", order));
        if (answer.size() != 3) {
            throw RedisObject.unheardOf(answer);
        }
        long quantity = Long.parseLong(answer.get(1));
        long left = Long.parseLong(answer.get(2));
        if (quantity == 0) {
            return new GiveBackResult.NothingTaken();
        }
        return answer.get(0).equals("given")
                ? new GiveBackResult.GivenBack(quantity, left)
                : new GiveBackResult.AlreadyGivenBack(quantity, left);
    }

    /** Adds a delivery, once for each. */
    public AddResult add(String delivery, long quantity) {
        return AddOnce.call(thing, thing.beside("delivery", delivery), "add", quantity(1, quantity));
    }

    /** Sets the stock to what a count has found, once for each count, whatever was taken meanwhile. */
    public AddResult set(String count, long quantity) {
        return AddOnce.call(thing, thing.beside("delivery", count), "set", quantity(0, quantity));
    }

    /** What is left; nothing of an article that nobody has filled. */
    public long left() {
        return thing.number();
    }

    private static long quantity(long least, long quantity) {
        if (quantity < least || quantity > MOST) {
            throw new IllegalArgumentException("quantity must be from " + least + " to " + MOST + ", not " + quantity);
        }
        return quantity;
    }
}
