package io.onefold.redis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.Protocol;

/**
 * The votes of a poll: one for each user, counted by choice. A poll is kept until it is removed, as a whole, so no vote
 * counts twice in one tally.
 *
 * <pre>{@code
 * RedisVotes poll = effects.votes("poll-7");
 * if (poll.vote(userId, "yes") instanceof Vote.Conflict before) {
 *     ask("You voted " + before.choice() + ". Change it?");   // poll.change(userId, before.choice(), "yes")
 * }
 * }</pre>
 */
public final class RedisVotes {
    private static final Script VOTE = Script.named("vote");
    private static final String FIRST = "";

    private final Thing thing;

    RedisVotes(Thing thing) {
        this.thing = thing;
    }

    /** Counts a user's vote. Whoever has voted for something else is told so; the vote stands. */
    public Vote vote(String user, String choice) {
        return call(user, Names.required("choice", choice), FIRST);
    }

    /**
     * Changes a user's vote, if it still is what it is to be changed from: a late repetition of an older vote or change does nothing. Only
     * one that comes when the user has changed back by now is taken for a new change.
     */
    public Vote change(String user, String from, String to) {
        if (from.equals(to)) {
            throw new IllegalArgumentException("a change from \"" + from + "\" to itself is none");
        }
        return call(user, Names.required("choice", to), Names.required("choice", from));
    }

    /** How many votes each choice has that has any. */
    public Map<String, Long> tally() {
        List<String> flat = Thing.words(
                thing.wire().send(Command.of(thing.slot(), Protocol.Command.HGETALL, Command.bytes(thing.key()))));
        Map<String, Long> tally = new LinkedHashMap<>();
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            tally.put(flat.get(i), Long.parseLong(flat.get(i + 1)));
        }
        return tally;
    }

    /** Forgets the poll, its tally and who has voted. */
    public void remove() {
        Object unused = thing.wire()
                .send(Command.of(
                        thing.slot(), Protocol.Command.UNLINK, Command.bytes(thing.key()), Command.bytes(voters())));
    }

    private Vote call(String user, String choice, String from) {
        List<String> answer = thing.call(VOTE, voters(), Names.required("user", user), choice, from);
        return switch (answer.isEmpty() ? "" : answer.get(0)) {
            case "done" -> new Vote.Voted();
            case "before" -> new Vote.AlreadyVoted();
            case "none" -> new Vote.NotVoted();
            case "other" -> new Vote.Conflict(answer.get(1));
            default -> throw Thing.unheardOf(answer);
        };
    }

    private String voters() {
        return thing.key() + ":voters";
    }
}
