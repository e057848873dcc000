package io.onefold.spring;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of listeners for messages that are not settled. Immutable; each method returns a changed copy. A bean of this type replaces
 * {@link #DEFAULT}.
 */
public final class ListenerSettings {
    /** Allows an unknown outcome one minute, and gives a message up only if a known destination takes it. */
    public static final ListenerSettings DEFAULT = new ListenerSettings(
            Duration.ofMinutes(1),
            5,
            Duration.ofMinutes(20),
            DeadLetterPolicy.KNOWN,
            new ParkingTarget("", null),
            false);

    private final Duration unknownLimit;
    private final int lostLimit;
    private final Duration hold;
    private final DeadLetterPolicy deadLetters;
    private final ParkingTarget parking;
    private final boolean kafkaTransactions;

    private ListenerSettings(
            Duration unknownLimit,
            int lostLimit,
            Duration hold,
            DeadLetterPolicy deadLetters,
            ParkingTarget parking,
            boolean kafkaTransactions) {
        this.unknownLimit = unknownLimit;
        this.lostLimit = lostLimit;
        this.hold = hold;
        this.deadLetters = deadLetters;
        this.parking = parking;
        this.kafkaTransactions = kafkaTransactions;
    }

    /** The condition for sending messages that were not settled in time to the dead letters. */
    public enum DeadLetterPolicy {
        /** Only if a destination for dead letters is known. Otherwise the messages keep coming again. */
        KNOWN,
        /** Always: the application says that there is a destination. Messages without one are dropped. */
        ALWAYS,
        /** Never: they keep coming again until they are settled. */
        NEVER
    }

    /**
     * The destination of RabbitMQ messages in place of the dead letter exchange of their queue.
     *
     * @param exchange empty for the default exchange, where the routing key is the name of a queue
     * @param routingKey null for none; {@code {queue}} in it is the name of the message's queue
     */
    public record ParkingTarget(String exchange, @Nullable String routingKey) {}

    /** The time for which a message with an unknown outcome, or with lost transactions, comes again before it is given up. */
    public ListenerSettings unknownLimit(Duration limit) {
        if (limit.isNegative()) {
            throw new IllegalArgumentException("unknownLimit must not be negative, but is " + limit);
        }
        return new ListenerSettings(limit, lostLimit, hold, deadLetters, parking, kafkaTransactions);
    }

    /** The least number of runs of a transactional method that lose their transaction, before its message is given up. */
    public ListenerSettings lostLimit(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("lostLimit must be at least 1, but is " + limit);
        }
        return new ListenerSettings(unknownLimit, limit, hold, deadLetters, parking, kafkaTransactions);
    }

    /**
     * The time for which a consumer of RabbitMQ keeps a message that is not settled, if the queue counts deliveries and drops messages that
     * come too often. It must be shorter than the broker's {@code consumer_timeout}, which is 30 minutes by default.
     */
    public ListenerSettings hold(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("hold must not be negative, but is " + time);
        }
        return new ListenerSettings(unknownLimit, lostLimit, time, deadLetters, parking, kafkaTransactions);
    }

    public ListenerSettings deadLetters(DeadLetterPolicy when) {
        return new ListenerSettings(unknownLimit, lostLimit, hold, when, parking, kafkaTransactions);
    }

    /** The destination of RabbitMQ messages that are given up. */
    public ListenerSettings parking(ParkingTarget place) {
        return new ListenerSettings(
                unknownLimit, lostLimit, hold, deadLetters, Objects.requireNonNull(place), kafkaTransactions);
    }

    /**
     * Allows listeners in containers with Kafka transactions. A crash after the record's commit loses the messages that they send in these.
     */
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

    public DeadLetterPolicy deadLetters() {
        return deadLetters;
    }

    public ParkingTarget parking() {
        return parking;
    }

    public boolean kafkaTransactions() {
        return kafkaTransactions;
    }
}
