package io.onefold.shop;

import static io.onefold.shop.Customers.concurrently;
import static io.onefold.shop.Customers.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Ids;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Where duplicates come from and what comes of them, each without Onefold and with it. */
abstract class ShopCases extends OpenShop {
    private static final int MANY = 8;

    // a double click, a duplicate order

    @Test
    void without_onefold_a_double_click_orders_twice() throws Exception {
        meeting.of(2);
        String key = Ids.next().toString();

        List<HttpResponse<String>> answers = concurrently(2, () -> customers.post("/naive/orders", key, wanted()));

        assertThat(answers).allMatch(answer -> answer.statusCode() == 200);
        assertThat(answers.stream().map(HttpResponse::body).distinct()).hasSize(2);
        assertThat(orders()).isEqualTo(2);
    }

    @Test
    void however_often_it_is_clicked_one_order_is_placed_and_all_clicks_see_it() throws Exception {
        String key = Ids.next().toString();

        List<HttpResponse<String>> answers = concurrently(MANY, () -> customers.post("/orders", key, wanted()));

        assertThat(answers).allMatch(answer -> answer.statusCode() == 201, "created");
        assertThat(answers.stream().map(HttpResponse::body).distinct()).hasSize(1);
        assertThat(answers.stream()
                        .map(answer -> answer.headers().firstValue("Location").orElseThrow())
                        .distinct())
                .hasSize(1);
        assertThat(answers.stream()
                        .filter(answer -> answer.headers()
                                .firstValue("Idempotent-Replayed")
                                .isPresent()))
                .hasSize(MANY - 1);
        assertThat(orders()).isEqualTo(1);
        assertThat(number("SELECT available FROM product WHERE sku = ?", sku)).isEqualTo(1);
    }

    @Test
    void another_order_under_the_same_key_is_refused_and_so_is_one_without_a_key() throws Exception {
        String key = Ids.next().toString();
        customers.post("/orders", key, wanted());

        assertThat(customers
                        .post("/orders", key, wanted().replace(":1}", ":2}"))
                        .statusCode())
                .isEqualTo(422);
        assertThat(customers.post("/orders", null, wanted()).statusCode()).isEqualTo(400);
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void an_order_that_could_not_be_placed_can_be_under_the_same_key() throws Exception {
        String key = Ids.next().toString();
        db.sql("UPDATE product SET available = 0 WHERE sku = ?").param(sku).update();
        assertThat(customers.post("/orders", key, wanted()).statusCode()).isEqualTo(409);

        db.sql("UPDATE product SET available = 1 WHERE sku = ?").param(sku).update();

        assertThat(customers.post("/orders", key, wanted()).statusCode()).isEqualTo(201);
        assertThat(orders()).isEqualTo(1);
    }

    // a client that has timed out and retries, inconsistent data

    @Test
    void without_onefold_a_client_that_times_out_and_retries_gets_its_discount_twice() throws Exception {
        long order = placed();
        meeting.of(2);

        CompletableFuture<HttpResponse<String>> first =
                customers.sending("/naive/orders/" + order + "/coupons/" + coupon, null, "");
        until("the first request is under way", () -> meeting.waiting() == 1);
        first.cancel(true);
        customers.post("/naive/orders/" + order + "/coupons/" + coupon);

        until("the first request has ended, too", () -> usesLeft() != 9);
        assertThat(usesLeft()).isEqualTo(8);
        assertThat(order(order).total()).isEqualByComparingTo("3.00");
    }

    @Test
    void a_client_that_has_not_heard_the_answer_gets_it_when_it_retries() throws Exception {
        long order = placed();
        String path = "/orders/" + order + "/coupons/" + coupon;

        customers.postAndLeave(path);
        until("the first request has ended", () -> usesLeft() != 10);
        List<HttpResponse<String>> retries = concurrently(MANY, () -> customers.post(path));

        assertThat(retries).allMatch(answer -> answer.statusCode() == 200);
        assertThat(retries.stream().map(HttpResponse::body).distinct()).hasSize(1);
        assertThat(json.readValue(retries.get(0).body(), Order.class).total()).isEqualByComparingTo("4.00");
        assertThat(order(order).total()).isEqualByComparingTo("4.00");
        assertThat(usesLeft()).isEqualTo(9);
    }

    @Test
    void many_retries_at_once_get_one_discount() throws Exception {
        long order = placed();

        List<HttpResponse<String>> answers =
                concurrently(MANY, () -> customers.post("/orders/" + order + "/coupons/" + coupon));

        assertThat(answers).allMatch(answer -> answer.statusCode() == 200);
        assertThat(answers.stream().map(HttpResponse::body).distinct()).hasSize(1);
        assertThat(usesLeft()).isEqualTo(9);
    }

    // a message that is delivered again, stock that is sold twice

    @Test
    void without_onefold_a_message_delivered_again_ships_what_another_has_bought() throws Exception {
        OrderPaid first = new OrderPaid(Ids.next().toString(), placed());
        OrderPaid second = new OrderPaid(Ids.next().toString(), placed());
        meeting.of(2);
        concurrently(2, () -> {
            naive.on(first);
            return true;
        });

        meeting.of(1);
        assertThatThrownBy(() -> naive.on(second)).isInstanceOf(SoldOutException.class);

        assertThat(shipments(first)).isEqualTo(2);
        assertThat(shipments(second)).isZero();
    }

    @Test
    void however_often_a_message_is_delivered_everybody_gets_what_they_have_bought() throws Exception {
        OrderPaid first = new OrderPaid(Ids.next().toString(), placed());
        OrderPaid second = new OrderPaid(Ids.next().toString(), placed());
        concurrently(MANY, () -> {
            warehouse.on(first);
            return true;
        });
        warehouse.on(first);
        warehouse.on(second);

        assertThat(shipments(first)).isEqualTo(1);
        assertThat(shipments(second)).isEqualTo(1);
        assertThat(number("SELECT stock FROM product WHERE sku = ?", sku)).isZero();
    }

    @Test
    void a_delivery_that_has_failed_is_handled_when_it_comes_again() throws Exception {
        OrderPaid message = new OrderPaid(Ids.next().toString(), placed());
        db.sql("UPDATE product SET stock = 0 WHERE sku = ?").param(sku).update();
        assertThatThrownBy(() -> warehouse.on(message)).isInstanceOf(SoldOutException.class);

        db.sql("UPDATE product SET stock = 1 WHERE sku = ?").param(sku).update();
        warehouse.on(message);

        assertThat(shipments(message)).isEqualTo(1);
    }

    // one service retrying another, a double charge

    @Test
    void without_onefold_a_retry_between_services_charges_twice() throws Exception {
        long order = placed();
        provider.loseAnswers(1);

        HttpResponse<String> answer = customers.post("/naive/orders/" + order + "/payment");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(provider.charges(order)).isEqualTo(2);
    }

    @Test
    void without_onefold_paying_twice_at_once_charges_twice() throws Exception {
        long order = placed();
        meeting.of(2);

        concurrently(2, () -> customers.post("/naive/orders/" + order + "/payment"));

        assertThat(provider.charges(order)).isEqualTo(2);
    }

    @Test
    void however_often_customers_and_services_retry_an_order_is_charged_once() throws Exception {
        long order = placed();
        provider.loseAnswers(1);

        List<HttpResponse<String>> answers = concurrently(MANY, () -> customers.post("/orders/" + order + "/payment"));

        assertThat(answers).allMatch(answer -> answer.statusCode() == 200);
        assertThat(answers.stream().map(HttpResponse::body).distinct()).hasSize(1);
        assertThat(provider.charges(order)).isEqualTo(1);
        assertThat(order(order).chargeId())
                .isEqualTo(json.readValue(answers.get(0).body(), Receipt.class).chargeId());
    }

    // a provider that has charged and fell silent

    @Test
    void without_onefold_a_payment_that_nobody_knows_the_outcome_of_is_made_again() throws Exception {
        long order = placed();
        provider.loseAnswers(PaymentProvider.TRIES);

        assertThat(customers.post("/naive/orders/" + order + "/payment").statusCode())
                .isEqualTo(504);
        assertThat(customers.post("/naive/orders/" + order + "/payment").statusCode())
                .isEqualTo(200);

        assertThat(provider.charges(order)).isEqualTo(PaymentProvider.TRIES + 1);
    }

    @Test
    void a_payment_that_nobody_knows_the_outcome_of_is_looked_up_and_not_made_again() throws Exception {
        long order = placed();
        provider.loseAnswers(PaymentProvider.TRIES);
        assertThat(customers.post("/orders/" + order + "/payment").statusCode()).isEqualTo(504);

        until("the probe has found it", () -> isKnown(order));
        HttpResponse<String> answer = customers.post("/orders/" + order + "/payment");

        assertThat(json.readValue(answer.body(), Receipt.class).amount()).isEqualByComparingTo("5.00");
        assertThat(order(order).chargeId())
                .isEqualTo(json.readValue(answer.body(), Receipt.class).chargeId());
        assertThat(provider.charges(order)).isEqualTo(1);
    }
}
