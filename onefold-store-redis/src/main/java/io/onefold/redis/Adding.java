package io.onefold.redis;

import java.util.List;

/** Adds to a number or sets it, once for each cause. */
final class Adding {
    private static final Script ADD = Script.named("add");

    private Adding() {}

    /**
     * @param how {@code add} or {@code set}
     */
    static Addition call(Thing thing, String cause, String how, long amount) {
        List<String> answer = thing.call(ADD, cause, how, Long.toString(amount));
        if (answer.size() != 2) {
            throw Thing.unheardOf(answer);
        }
        long number = Long.parseLong(answer.get(1));
        return switch (answer.get(0)) {
            case "done" -> new Addition.Added(number);
            case "before" -> new Addition.AlreadyAdded(number);
            case "other" -> new Addition.Conflict(number);
            default -> throw Thing.unheardOf(answer);
        };
    }
}
