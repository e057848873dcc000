package io.onefold.shop;

import static io.onefold.shop.Customers.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.TimeOrderedIds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Messages that are delivered again. A consumer that takes longer than its broker waits is given up for lost: another gets the message
 * while the first is still at work on it, and its acknowledgement is no longer heard.
 *
 * <p>What can come of it is a double charge, an oversell and inconsistent data. Orders are not placed by messages in this shop, so that
 * they cannot be duplicated by them.
 */
abstract class MessageCases extends RequestCases {
    @Autowired
    private KafkaListenerEndpointRegistry listeners;

    @Test
    void without_onefold_a_message_delivered_again_ships_what_another_has_bought() throws Exception {
        OrderPaid first = new OrderPaid(TimeOrderedIds.next().toString(), placed());
        OrderPaid second = new OrderPaid(TimeOrderedIds.next().toString(), placed());
        meeting.of(2);
        Broker.send("naive-order-paid", json.writeValueAsString(first));
        until("both deliveries have ended", () -> shipments(first) == 2);

        meeting.of(1);
        assertThatThrownBy(() -> naive.on(second)).isInstanceOf(SoldOutException.class);
        assertThat(shipments(second)).isZero();
    }

    @Test
    void however_often_a_message_is_delivered_everybody_gets_what_they_have_bought() throws Exception {
        OrderPaid first = new OrderPaid(TimeOrderedIds.next().toString(), placed());
        OrderPaid second = new OrderPaid(TimeOrderedIds.next().toString(), placed());
        onlyNew("order-paid", "warehouse");

        deliverTwice("order-paid", json.writeValueAsString(first), 0);

        until("it was delivered again", () -> probe.operation("ship-order").replays() >= 1);
        until("that was acknowledged", () -> Broker.isQuiet("order-paid", "warehouse"));
        probe.operation("ship-order").ranOnce();
        Broker.send("order-paid", json.writeValueAsString(second));
        until("the other is shipped", () -> shipments(second) == 1);
        assertThat(shipments(first)).isEqualTo(1);
        assertThat(number("SELECT stock FROM product WHERE sku = ?", sku)).isZero();
    }

    @Test
    void without_onefold_a_message_delivered_again_charges_twice() throws Exception {
        long order = placed();
        meeting.of(2);

        Broker.send("naive-payment-due", json.writeValueAsString(new PaymentDue(order)));

        until("both deliveries have ended", () -> provider.charges(order) == 2);
    }

    @Test
    void however_often_a_message_is_delivered_the_order_is_charged_once() throws Exception {
        long order = placed();
        onlyNew("payment-due", "payments");

        deliverTwice("payment-due", json.writeValueAsString(new PaymentDue(order)), order);

        until("it was delivered again", () -> probe.operation("pay-order").replays() >= 1);
        until("that was acknowledged", () -> Broker.isQuiet("payment-due", "payments"));
        probe.operation("pay-order").ranOnce();
        assertThat(provider.charges(order)).isEqualTo(1);
        assertThat(order(order).state()).isEqualTo(Order.State.PAID);
    }

    @Test
    void a_delivery_that_has_failed_is_handled_when_it_comes_again() throws Exception {
        OrderPaid message = new OrderPaid(TimeOrderedIds.next().toString(), placed());
        db.sql("UPDATE product SET stock = 0 WHERE sku = ?").param(sku).update();
        assertThatThrownBy(() -> warehouse.on(message)).isInstanceOf(SoldOutException.class);

        db.sql("UPDATE product SET stock = 1 WHERE sku = ?").param(sku).update();
        Broker.send("order-paid", json.writeValueAsString(message));

        until("it is shipped", () -> shipments(message) == 1);
    }

    /** Counts no delivery of what earlier tests have sent. */
    private void onlyNew(String topic, String group) throws Exception {
        until("what came before is over", () -> Broker.isQuiet(topic, group));
        probe.reset();
    }

    /** While the first to get it is at work, it goes to another. */
    private void deliverTwice(String topic, String message, long order) throws Exception {
        until("one consumer has " + topic, () -> consumers(topic).size() == 1);
        MessageListenerContainer first = consumers(topic).get(0);
        try (Hold untilItHasGoneOn = hold(order)) {
            Broker.send(topic, message);
            until("another has it", () -> consumers(topic).stream().anyMatch(one -> one != first));
        }
    }

    /** Those that have the partition of a topic, as far as they know; who is at work has not heard of its loss. */
    private List<MessageListenerContainer> consumers(String topic) {
        return listeners.getListenerContainers().stream()
                .flatMap(all -> ((ConcurrentMessageListenerContainer<?, ?>) all).getContainers().stream())
                .<MessageListenerContainer>map(one -> one)
                .filter(one -> one.getAssignedPartitions() != null
                        && one.getAssignedPartitions().stream()
                                .anyMatch(partition -> partition.topic().equals(topic)))
                .toList();
    }
}
