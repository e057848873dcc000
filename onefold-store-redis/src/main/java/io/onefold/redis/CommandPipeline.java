package io.onefold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Sends commands and reads the answers. Those of one list travel together, one round trip for each server. What was not carried
 * out goes again: to where a slot has moved, with the text of a script that the server does not know, and once more, on a new connection,
 * if one broke: commands are safe to repeat.
 */
final class CommandPipeline {
    private static final int ROUNDS = 6;

    /** A slot that moves has the keys of a script at two places, for as long as it takes to move them. */
    private static final int PAUSES = 100;

    private static final long PAUSE_NANOS = 20_000_000;

    private final RedisServers servers;

    CommandPipeline(RedisServers servers) {
        this.servers = servers;
    }

    RedisServers servers() {
        return servers;
    }

    /** The answer to one command, or the exception that took its place. */
    @Nullable
    Object send(RedisCommand command) {
        return thrown(send(List.of(command)).get(0));
    }

    /** The answer of one server, whichever slots it holds. */
    @Nullable
    Object ask(HostAndPort server, Protocol.Command verb, byte[]... arguments) {
        PendingCommand one = new PendingCommand(RedisCommand.of(0, verb, arguments));
        one.target = server;
        one.fixed = true;
        return thrown(deliver(List.of(one)).get(0));
    }

    /** An answer for each command, in order: what the server said, or a {@link io.onefold.store.StoreException}. */
    List<@Nullable Object> send(List<RedisCommand> commands) {
        List<PendingCommand> all = new ArrayList<>(commands.size());
        commands.forEach(command -> all.add(new PendingCommand(command)));
        return deliver(all);
    }

    private List<@Nullable Object> deliver(List<PendingCommand> all) {
        List<PendingCommand> open = all;
        int pauses = 0;
        for (int round = 0; !open.isEmpty() && round < ROUNDS; round++) {
            byServer(open).forEach(this::exchange);
            open = open.stream().filter(sending -> !sending.done).toList();
            if (open.stream().anyMatch(sending -> sending.early) && pauses++ < PAUSES) {
                round = 0;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        open.forEach(sending -> sending.fail("Redis sent it from server to server", null));
        List<@Nullable Object> answers = new ArrayList<>(all.size());
        all.forEach(sending -> answers.add(sending.answer));
        return answers;
    }

    /** All answers, in order; the first failure is thrown. */
    List<@Nullable Object> sendAll(List<RedisCommand> commands) {
        List<@Nullable Object> answers = send(commands);
        answers.forEach(CommandPipeline::thrown);
        return answers;
    }

    private static @Nullable Object thrown(@Nullable Object answer) {
        if (answer instanceof RuntimeException failure) {
            throw failure;
        }
        return answer;
    }

    /** The clock of one of the servers, UTC microseconds. */
    long now() {
        List<?> time = (List<?>) Objects.requireNonNull(send(RedisCommand.of(0, Protocol.Command.TIME)));
        return number(time.get(0)) * 1_000_000 + number(time.get(1));
    }

    private static long number(Object bytes) {
        return Long.parseLong(new String((byte[]) bytes, US_ASCII));
    }

    private Map<HostAndPort, List<PendingCommand>> byServer(List<PendingCommand> open) {
        Map<HostAndPort, List<PendingCommand>> byServer = new LinkedHashMap<>();
        for (PendingCommand sending : open) {
            try {
                HostAndPort server = sending.target == null ? servers.of(sending.slot()) : sending.target;
                byServer.computeIfAbsent(server, same -> new ArrayList<>()).add(sending);
            } catch (JedisException e) {
                sending.fail(e.getMessage(), e);
            }
        }
        return byServer;
    }

    private void exchange(HostAndPort server, List<PendingCommand> sendings) {
        List<Object> answers;
        try (Connection connection = servers.connect(server)) {
            answers = exchange(connection, sendings);
        } catch (JedisException e) {
            boolean again = !timedOut(e) && sendings.stream().noneMatch(sending -> sending.broken);
            for (PendingCommand sending : sendings) {
                sending.broken = true;
                sending.target = sending.fixed ? sending.target : null;
                if (!again) {
                    sending.fail("Redis could not be reached: " + e.getMessage(), e);
                }
            }
            lookAgain();
            return;
        }
        int at = 0;
        boolean elsewhere = false;
        for (PendingCommand sending : sendings) {
            at += sending.asking ? 1 : 0;
            elsewhere |= sending.hear(answers.get(at++));
        }
        if (elsewhere) {
            lookAgain();
        }
    }

    private static List<Object> exchange(Connection connection, List<PendingCommand> sendings) {
        boolean whole = false;
        try {
            int sent = 0;
            for (PendingCommand sending : sendings) {
                sent += sending.write(connection);
            }
            List<Object> answers = connection.getMany(sent);
            whole = true;
            return answers;
        } finally {
            if (!whole) {
                connection.setBroken(); // whoever got it next would read the answers that are left
            }
        }
    }

    private void lookAgain() {
        try {
            servers.lookAgain();
        } catch (JedisException e) {
            // whoever sends next will find out
        }
    }

    /** What waited for its time already is not to wait again. */
    private static boolean timedOut(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException || cause instanceof NoSuchElementException) {
                return true;
            }
        }
        return false;
    }
}
