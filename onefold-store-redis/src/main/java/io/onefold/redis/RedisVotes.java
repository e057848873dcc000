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
 * if (poll.vote(userId, "yes") instanceof VoteResult.VotedDifferently before) {
 *     ask("You voted " + before.choice() + ". Change it?");   // poll.change(userId, before.choice(), "yes")
 * }
 * }</pre>
 */
public final class RedisVotes {
    private static final LuaScript VOTE = LuaScript.named("vote");
    private static final String FIRST = "";

    private final RedisObject thing;

    RedisVotes(RedisObject thing) {
        this.thing = thing;
    }

    /** Counts a user's vote. Whoever has voted for something else is told so; the vote stands. */
    public VoteResult vote(String user, String choice) {
        return call(user, NameCheck.required("choice", choice), FIRST);
    }

    /**
     * Changes a user's vote, if it still is what it is to be changed from: a late repetition of an older vote or change does nothing. Only
     * one that comes when the user has changed back by now is taken for a new change.
     */
    public VoteResult change(String user, String from, String to) {
        if (from.equals(to)) {
            throw new IllegalArgumentException("a change from \"" + from + "\" to itself is none");
        }
        return call(user, NameCheck.required("choice", to), NameCheck.required("choice", from));
    }

    /** How many votes each choice has that has any. */
    public Map<String, Long> tally() {
        List<String> flat = RedisObject.words(thing.wire()
                .send(RedisCommand.of(thing.slot(), Protocol.Command.HGETALL, RedisCommand.bytes(thing.key()))));
        Map<String, Long> tally = new LinkedHashMap<>();
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            tally.put(flat.get(i), Long.parseLong(flat.get(i + 1)));
        }
        return tally;
    }

    /** Forgets the poll, its tally and who has voted. */
    public void remove() {
        Object unused = thing.wire()
                .send(RedisCommand.of(
                        thing.slot(),
                        Protocol.Command.UNLINK,
                        RedisCommand.bytes(thing.key()),
                        RedisCommand.bytes(voters())));
    }

    private VoteResult call(String user, String choice, String from) {
        List<String> answer = thing.call(VOTE, voters(), NameCheck.required("user", user), choice, from);
        return switch (answer.isEmpty() ? "" : answer.get(0)) {
            case "done" -> new VoteResult.Voted();
            case "before" -> new VoteResult.AlreadyVoted();
            case "none" -> new VoteResult.NotVoted();
            case "other" -> new VoteResult.VotedDifferently(answer.get(1));
            default -> throw RedisObject.unheardOf(answer);
        };
    }

    private String voters() {
        return thing.key() + ":voters";
    }
}
