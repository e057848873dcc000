package io.onefold.redis;

import java.util.List;

/** Adds to a number or sets it, once for each cause. */
final class AddOnce {
    private static final LuaScript ADD = LuaScript.named("add");

    private AddOnce() {}

    /**
     * @param how {@code add} or {@code set}
     */
    static AddResult call(RedisObject thing, String cause, String how, long amount) {
        List<String> answer = thing.call(ADD, cause, how, Long.toString(amount));
        if (answer.size() != 2) {
            throw RedisObject.unheardOf(answer);
        }
        long number = Long.parseLong(answer.get(1));
        return switch (answer.get(0)) {
            case "done" -> new AddResult.Added(number);
            case "before" -> new AddResult.AlreadyAdded(number);
            case "other" -> new AddResult.AmountDiffers(number);
            default -> throw RedisObject.unheardOf(answer);
        };
    }
}
