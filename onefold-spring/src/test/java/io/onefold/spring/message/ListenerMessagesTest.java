package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.InvocationSource;
import io.onefold.spring.KeyHeader;
import io.onefold.spring.MessageResolver;
import io.onefold.spring.UnsettledRecordException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.KafkaUtils;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.support.GenericMessage;

class ListenerMessagesTest {
    private static final byte[] BODY = {};
    private final ListenerMessageResolver messages =
            new ListenerMessageResolver(KeyHeader.DEFAULT, new DefaultListableBeanFactory());

    @Test
    void headers_of_a_record_are_text_in_utf_8_and_all_of_one_name_are_told() {
        ConsumerRecord<String, String> received = received();
        received.headers().add("order", "Bestätigt".getBytes(StandardCharsets.UTF_8));
        received.headers().add("order", "again".getBytes(StandardCharsets.UTF_8));
        MessageResolver.ListenerMessage message = current(InvocationSource.KAFKA, "payload", received);

        assertThat(message.headers("order")).containsExactly("Bestätigt", "again");
        assertThat(message.headers("Order")).isEmpty();
    }

    @Test
    void a_record_belongs_to_its_group_and_topic() {
        KafkaUtils.setConsumerGroupId("shop");
        try {
            assertThat(current(InvocationSource.KAFKA, received()).scope()).containsExactly("shop", "orders");
        } finally {
            KafkaUtils.clearConsumerGroupId();
        }
        assertThat(current(InvocationSource.KAFKA, received()).scope()).containsExactly("orders");
    }

    @Test
    void a_message_of_springs_has_the_headers_of_the_record_it_was() {
        MessageHeaders headers = new MessageHeaders(Map.of(
                "order",
                "k1".getBytes(StandardCharsets.UTF_8),
                KafkaHeaders.GROUP_ID,
                "shop",
                KafkaHeaders.RECEIVED_TOPIC,
                "orders"));
        for (Object argument : List.of(headers, new GenericMessage<>("payload", headers))) {
            MessageResolver.ListenerMessage message = current(InvocationSource.KAFKA, argument);

            assertThat(message.headers("order")).containsExactly("k1");
            assertThat(message.scope()).containsExactly("shop", "orders");
        }
    }

    @Test
    void a_message_belongs_to_its_queue() {
        Message received = MessageBuilder.withBody(BODY).setHeader("order", 7L).build();
        received.getMessageProperties().setConsumerQueue("orders");
        MessageResolver.ListenerMessage message = current(InvocationSource.RABBIT, received);

        assertThat(message.headers("order")).containsExactly("7");
        assertThat(message.scope()).containsExactly("orders");
    }

    @Test
    void the_id_of_a_message_stands_in_for_the_usual_header_and_for_no_other() {
        Message received = MessageBuilder.withBody(BODY).setMessageId("m1").build();
        MessageHeaders mapped =
                new MessageHeaders(Map.of(AmqpHeaders.MESSAGE_ID, "m1", AmqpHeaders.CONSUMER_QUEUE, "orders"));
        for (Object argument : List.of(received, mapped)) {
            MessageResolver.ListenerMessage message = current(InvocationSource.RABBIT, argument);

            assertThat(message.headers(KeyHeader.DEFAULT.name())).containsExactly("m1");
            assertThat(message.headers(AmqpHeaders.MESSAGE_ID)).containsExactly("m1");
            assertThat(message.headers("order")).isEmpty();
        }
        assertThat(current(InvocationSource.RABBIT, mapped).scope()).containsExactly("orders");
    }

    @Test
    void the_usual_header_wins_over_the_id() {
        Message received = MessageBuilder.withBody(BODY)
                .setMessageId("m1")
                .setHeader(KeyHeader.DEFAULT.name(), "k1")
                .build();

        assertThat(current(InvocationSource.RABBIT, received).headers(KeyHeader.DEFAULT.name()))
                .containsExactly("k1");
    }

    @Test
    void outside_of_a_container_a_payload_alone_tells_nothing() {
        assertThat(messages.current(InvocationSource.KAFKA, new Object[] {"payload"}))
                .isNull();
        assertThat(messages.current(InvocationSource.RABBIT, new Object[] {"payload"}))
                .isNull();
    }

    @Test
    void what_is_not_settled_is_known_by_its_cause() {
        assertThat(RedeliveringErrorHandler.isUnsettled(
                        new IllegalStateException(new UnsettledRecordException("down", new IllegalStateException()))))
                .isTrue();
        assertThat(RedeliveringErrorHandler.isUnsettled(new IllegalStateException("a failure")))
                .isFalse();
    }

    private MessageResolver.ListenerMessage current(InvocationSource door, Object... arguments) {
        return Objects.requireNonNull(messages.current(door, arguments));
    }

    private static ConsumerRecord<String, String> received() {
        return new ConsumerRecord<>("orders", 0, 0, null, "payload");
    }
}
