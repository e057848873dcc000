package io.onefold.shop;

import static io.onefold.shop.Customers.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.TimeOrderedIds;
import io.onefold.Verdict;
import io.onefold.shop.FakeProvider.Mishap;
import io.onefold.shop.Order.State;
import io.onefold.test.CallResults;
import io.onefold.test.DuplicateCalls;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.time.OffsetDateTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.web.client.HttpServerErrorException;

/** What duplicates meet, beside each other: other requests, failures, and a provider that nobody hears of. */
abstract class ShopCases extends MessageCases {
    private static final int MANY = 8;

    // orders

    @Test
    void however_often_it_is_clicked_every_click_sees_the_one_order() {
        String key = TimeOrderedIds.next().toString();

        CallResults clicks = DuplicateCalls.of(() -> customers.post("/orders", key, wanted()))
                .times(MANY)
                .within(Customers.PATIENCE)
                .counting(this::orders)
                .concurrently()
                .ranOnce()
                .replayed(MANY - 1)
                .sameAnswer();

        assertThat(clicks.list()).allMatch(click -> click.status() == 201);
    }

    @Test
    void another_order_under_the_same_key_is_refused_and_so_is_one_without_a_key() throws Exception {
        String key = TimeOrderedIds.next().toString();
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
        String key = TimeOrderedIds.next().toString();
        db.sql("UPDATE product SET available = 0 WHERE sku = ?").param(sku).update();
        assertThat(customers.post("/orders", key, wanted()).statusCode()).isEqualTo(409);

        db.sql("UPDATE product SET available = 1 WHERE sku = ?").param(sku).update();

        assertThat(customers.post("/orders", key, wanted()).statusCode()).isEqualTo(201);
        assertThat(orders()).isEqualTo(1);
    }

    @Test
    void a_coupon_is_used_once_for_an_order_even_when_its_record_is_no_longer_kept() throws Exception {
        long order = placed();
        customers.post("/orders/" + order + "/coupons/" + coupon);

        Order again = withoutRecords().use(order, coupon);

        assertThat(again).isEqualTo(order(order));
        assertThat(again.total()).isEqualByComparingTo("4.00");
        assertThat(usesLeft()).isEqualTo(9);
    }

    // the shop itself is a service that retries another

    @Test
    void without_onefold_two_payments_at_once_whose_answers_are_lost_on_the_way_charge_four_times() throws Exception {
        long order = placed();
        provider.next(Mishap.ANSWER_LOST, 2);
        meeting.of(2);

        DuplicateCalls.of(() -> customers.post("/naive/orders/" + order + "/payment"))
                .within(Customers.PATIENCE)
                .concurrently()
                .ran(2);

        assertThat(provider.charges(order)).isEqualTo(4);
    }

    @Test
    void however_often_customers_and_services_retry_an_order_is_charged_once() throws Exception {
        long order = placed();
        provider.next(Mishap.ANSWER_LOST, 2);

        CallResults answers = DuplicateCalls.of(() -> customers.post("/orders/" + order + "/payment"))
                .times(MANY)
                .within(Customers.PATIENCE)
                .concurrently()
                .sameAnswer();

        assertThat(answers.list()).allMatch(answer -> answer.status() == 200);
        assertThat(provider.charges(order)).isEqualTo(1);
        assertThat(answers.list().get(0).text()).contains(order(order).chargeId());
    }

    // a coupon that comes while the order is being paid

    @Test
    void what_an_order_costs_does_not_change_while_it_is_charged() throws Exception {
        long order = placed();
        CountDownLatch charging = new CountDownLatch(1);
        CompletableFuture<Boolean> goOn = new CompletableFuture<>();
        provider.before(() -> {
            charging.countDown();
            goOn.join();
        });

        CompletableFuture<HttpResponse<String>> payment = customers.sending("/orders/" + order + "/payment", null, "");
        until("the charge is under way", () -> charging.getCount() == 0);
        HttpResponse<String> refused = customers.post("/orders/" + order + "/coupons/" + coupon);
        goOn.complete(true);

        assertThat(json.readValue(payment.get().body(), Receipt.class).amount()).isEqualByComparingTo("5.00");
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(order(order).state()).isEqualTo(State.PAID);
        assertThat(order(order).total()).isEqualByComparingTo("5.00");
        assertThat(usesLeft()).isEqualTo(10);
    }

    @Test
    void an_order_whose_payment_was_refused_can_change_and_be_paid() throws Exception {
        long order = placed();
        provider.next(Mishap.REFUSED, 1);
        assertThat(customers.post("/orders/" + order + "/payment").statusCode()).isEqualTo(402);
        assertThat(order(order).state()).isEqualTo(State.OPEN);

        assertThat(customers.post("/orders/" + order + "/coupons/" + coupon).statusCode())
                .isEqualTo(200);
        HttpResponse<String> payment = customers.post("/orders/" + order + "/payment");

        assertThat(json.readValue(payment.body(), Receipt.class).amount()).isEqualByComparingTo("4.00");
        assertThat(provider.charges(order)).isEqualTo(1);
    }

    @Test
    void an_order_of_which_nobody_knows_whether_it_was_paid_does_not_change() throws Exception {
        long order = placed();
        provider.next(Mishap.REQUEST_LOST, PaymentProvider.TRIES);
        assertThat(customers.post("/orders/" + order + "/payment").statusCode()).isEqualTo(504);

        assertThat(customers.post("/orders/" + order + "/coupons/" + coupon).statusCode())
                .isEqualTo(409);

        assertThat(order(order).state()).isEqualTo(State.PAYING);
        assertThat(order(order).total()).isEqualByComparingTo("5.00");
    }

    // a provider that has charged and fell silent

    @Test
    void without_onefold_a_payment_that_nobody_knows_the_outcome_of_is_made_again() throws Exception {
        long order = placed();
        provider.next(Mishap.ANSWER_LOST, PaymentProvider.TRIES);

        assertThat(customers.post("/naive/orders/" + order + "/payment").statusCode())
                .isEqualTo(504);
        assertThat(customers.post("/naive/orders/" + order + "/payment").statusCode())
                .isEqualTo(200);

        assertThat(provider.charges(order)).isEqualTo(PaymentProvider.TRIES + 1);
    }

    @Test
    void a_payment_that_nobody_knows_the_outcome_of_is_looked_up_and_not_made_again() throws Exception {
        long order = placed();
        provider.next(Mishap.ANSWER_LOST, PaymentProvider.TRIES);
        assertThat(customers.post("/orders/" + order + "/payment").statusCode()).isEqualTo(504);

        until("the probe has found it", () -> isKnown(order));
        HttpResponse<String> answer = customers.post("/orders/" + order + "/payment");

        assertThat(json.readValue(answer.body(), Receipt.class).amount()).isEqualByComparingTo("5.00");
        assertThat(order(order).chargeId())
                .isEqualTo(json.readValue(answer.body(), Receipt.class).chargeId());
        assertThat(provider.charges(order)).isEqualTo(1);
    }

    // a charge that never arrived

    @Test
    void an_order_whose_charge_can_no_longer_arrive_can_change_and_be_paid() throws Exception {
        long order = placed();
        provider.next(Mishap.REQUEST_LOST, PaymentProvider.TRIES);
        assertThat(customers.post("/orders/" + order + "/payment").statusCode()).isEqualTo(504);

        expire(order);
        until("the probe has reopened it", () -> order(order).state() == State.OPEN);
        customers.post("/orders/" + order + "/coupons/" + coupon);
        until("it is paid", () -> isKnown(order));

        HttpResponse<String> answer = customers.post("/orders/" + order + "/payment");
        assertThat(json.readValue(answer.body(), Receipt.class).amount()).isEqualByComparingTo("4.00");
        assertThat(order(order).total()).isEqualByComparingTo("4.00");
        assertThat(provider.charges(order)).isEqualTo(1);
    }

    @Test
    void a_charge_that_is_not_found_may_still_arrive_until_it_has_expired() throws Exception {
        long order = placed();
        provider.next(Mishap.REQUEST_LOST, PaymentProvider.TRIES);
        customers.post("/orders/" + order + "/payment");

        assertThat(probed(order)).isEqualTo(Verdict.unknown());
        assertThat(order(order).state()).isEqualTo(State.PAYING);
    }

    @Test
    void a_charge_that_arrives_when_it_has_expired_is_refused() throws Exception {
        long order = placed();
        OffsetDateTime past = PaymentProvider.expiry().minusHours(1);

        assertThatThrownBy(() -> payments.charge("late " + order, order, BigDecimal.TEN, past))
                .isInstanceOf(PaymentRefusedException.class);

        assertThat(provider.charges(order)).isZero();
    }

    @Test
    void a_provider_that_is_out_of_order_has_not_said_that_nothing_was_charged() throws Exception {
        long order = placed();
        provider.fail();
        customers.post("/orders/" + order + "/payment");
        expire(order);

        assertThatThrownBy(() -> probed(order)).isInstanceOf(HttpServerErrorException.class);
        assertThat(order(order).state()).isEqualTo(State.PAYING);
    }
}
