package io.onefold.spring.boot;

import io.onefold.spring.ListenerSettings;
import io.onefold.spring.ListenerSettings.DeadLetterPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Messages that are not settled.
 *
 * @param unknownLimit How long a message comes again whose outcome is unknown, or whose transactions are lost, before it goes to the
 *     dead letters.
 * @param lostLimit How often a joined listener runs and loses its transaction at least, before its message goes to the dead letters.
 * @param hold How long a consumer of RabbitMQ keeps an unsettled message of a quorum queue. Must be shorter than the broker's
 *     consumer_timeout.
 * @param deadLetters When messages go to the dead letters that were not settled in time.
 * @param parkingExchange The exchange of the parking routing key. Empty for the default exchange.
 * @param parkingRoutingKey Where messages of RabbitMQ go instead of their queue's dead letter exchange. {queue} in it is the name of their
 *     queue. Without it, the dead letter exchange is used that the application has declared for the queue.
 * @param kafkaTransactions Whether listeners may be in containers with Kafka transactions. What they send in these is lost by a crash after the
 *     commit of the record.
 */
record ListenerProperties(
        @DefaultValue("1m") Duration unknownLimit,
        @DefaultValue("5") int lostLimit,
        @DefaultValue("20m") Duration hold,
        @DefaultValue("known") DeadLetterPolicy deadLetters,
        @DefaultValue("") String parkingExchange,
        @Nullable String parkingRoutingKey,
        @DefaultValue("false") boolean kafkaTransactions) {

    ListenerProperties {
        PropertyLimits.atLeast("onefold.listeners.unknown-limit", Duration.ZERO, unknownLimit);
        PropertyLimits.atLeast("onefold.listeners.lost-limit", 1, lostLimit);
        PropertyLimits.atLeast("onefold.listeners.hold", Duration.ZERO, hold);
    }

    ListenerSettings settings() {
        return ListenerSettings.DEFAULT
                .unknownLimit(unknownLimit)
                .lostLimit(lostLimit)
                .hold(hold)
                .deadLetters(deadLetters)
                .parking(new ListenerSettings.ParkingTarget(parkingExchange, parkingRoutingKey))
                .kafkaTransactions(kafkaTransactions);
    }
}
