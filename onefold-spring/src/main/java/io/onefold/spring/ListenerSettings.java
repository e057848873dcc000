package io.onefold.spring;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What listeners do with messages that are not settled. Immutable; each method returns a changed copy. A bean of this type replaces {@link
 * #DEFAULT}.
 */
public final class ListenerSettings {
    /** Gives an unknown outcome a minute, and gives up only what a known place takes. */
    public static final ListenerSettings DEFAULT = new ListenerSettings(
            Duration.ofMinutes(1), 5, Duration.ofMinutes(20), DeadLetters.KNOWN, new Parking("", null), false);

    private final Duration unknownLimit;
    private final int lostLimit;
    private final Duration hold;
    private final DeadLetters deadLetters;
    private final Parking parking;
    private final boolean kafkaTransactions;

    private ListenerSettings(
            Duration unknownLimit,
            int lostLimit,
            Duration hold,
            DeadLetters deadLetters,
            Parking parking,
            boolean kafkaTransactions) {
        this.unknownLimit = unknownLimit;
        this.lostLimit = lostLimit;
        this.hold = hold;
        this.deadLetters = deadLetters;
        this.parking = parking;
        this.kafkaTransactions = kafkaTransactions;
    }

    /** When messages go to the dead letters that were not settled in time. */
    public enum DeadLetters {
        /** If it is known that somebody takes them. Else they keep coming again. */
        KNOWN,
        /** Always: the application says that somebody takes them. What nobody takes is dropped. */
        ALWAYS,
        /** Never: they keep coming again until they are settled. */
        NEVER
    }

    /**
     * Where messages of RabbitMQ go instead of the dead letter exchange of their queue.
     *
     * @param exchange empty for the default exchange, where the routing key is the name of a queue
     * @param routingKey null for none; {@code {queue}} in it is the name of the message's queue
     */
    public record Parking(String exchange, @Nullable String routingKey) {}

    /** How long a message comes again whose outcome is unknown, or whose transactions are lost, before it is given up. */
    public ListenerSettings unknownLimit(Duration limit) {
        if (limit.isNegative()) {
            throw new IllegalArgumentException("unknownLimit must not be negative, but is " + limit);
        }
        return new ListenerSettings(limit, lostLimit, hold, deadLetters, parking, kafkaTransactions);
    }

    /** How often a joined method runs and loses its transaction at least, before its message is given up. */
    public ListenerSettings lostLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("lostLimit must be at least 1, but is " + limit);
        }
        return new ListenerSettings(unknownLimit, limit, hold, deadLetters, parking, kafkaTransactions);
    }

    /**
     * How long a consumer of RabbitMQ keeps a message that is not settled, where the queue counts deliveries and drops messages that come
     * too often. Must be shorter than the broker's {@code consumer_timeout}, which is 30 minutes by default.
     */
    public ListenerSettings hold(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("hold must not be negative, but is " + time);
        }
        return new ListenerSettings(unknownLimit, lostLimit, time, deadLetters, parking, kafkaTransactions);
    }

    public ListenerSettings deadLetters(DeadLetters when) {
        return new ListenerSettings(unknownLimit, lostLimit, hold, when, parking, kafkaTransactions);
    }

    /** Where messages of RabbitMQ go that are given up. */
    public ListenerSettings parking(Parking place) {
        return new ListenerSettings(
                unknownLimit, lostLimit, hold, deadLetters, Objects.requireNonNull(place), kafkaTransactions);
    }

    /** Allows listeners in containers with Kafka transactions: what they send in these is lost by a crash after the record's commit. */
    public ListenerSettings kafkaTransactions(boolean allowed) {
        return new ListenerSettings(unknownLimit, lostLimit, hold, deadLetters, parking, allowed);
    }

    public Duration unknownLimit() {
        return unknownLimit;
    }

    public int lostLimit() {
        return lostLimit;
    }

    public Duration hold() {
        return hold;
    }

    public DeadLetters deadLetters() {
        return deadLetters;
    }

    public Parking parking() {
        return parking;
    }

    public boolean kafkaTransactions() {
        return kafkaTransactions;
    }
}
