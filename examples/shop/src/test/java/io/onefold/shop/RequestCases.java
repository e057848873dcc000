package io.onefold.shop;

import static io.onefold.shop.Customers.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.TimeOrderedIds;
import io.onefold.test.CallResults;
import io.onefold.test.DuplicateCalls;
import java.net.http.HttpResponse;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Wherever duplicates of a request come from, and whatever comes of them: each pair without Onefold, and with it. */
abstract class RequestCases extends OpenShop {
    private static final int MANY = 4;

    static Stream<Arguments> pairs() {
        return Stream.of(Source.values())
                .flatMap(source -> Stream.of(Consequence.values()).map(what -> Arguments.of(source, what)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void without_onefold_it_happens(Source source, Consequence what) throws Exception {
        Wanted wanted = wanted(what);
        meeting.of(2);

        send(source, "/naive" + wanted.path, wanted);

        until("both have ended", () -> happened(what, wanted.order) == 2);
        meeting.of(1);
        switch (what) {
            case DOUBLE_CHARGE -> assertThat(provider.charges(wanted.order)).isEqualTo(2);
            case DUPLICATE_ORDER -> assertThat(orders()).isEqualTo(2);
            case OVERSELL -> assertThat(another("/naive/orders")).isEqualTo(409);
            case INCONSISTENCY -> assertThat(order(wanted.order).total()).isEqualByComparingTo("3.00");
        }
    }

    /** As {@link Meeting} makes sure, neither ends before the other has begun. */
    private void send(Source source, String path, Wanted wanted) throws Exception {
        switch (source) {
            case DOUBLE_CLICK ->
                DuplicateCalls.of(() -> customers.post(path, wanted.key, wanted.body))
                        .within(Customers.PATIENCE)
                        .concurrently()
                        .ran(2);
            case TIMEOUT -> {
                CompletableFuture<HttpResponse<String>> first = customers.sending(path, wanted.key, wanted.body);
                until("the first request is under way", () -> meeting.waiting() == 1);
                first.cancel(true);
                assertThat(customers.post(path, wanted.key, wanted.body).statusCode())
                        .isEqualTo(200);
            }
            case SERVICE_RETRY ->
                assertThat(customers
                                .insist(path, wanted.key, wanted.body, () -> {})
                                .statusCode())
                        .isEqualTo(200);
        }
    }

    private boolean hasRun(Consequence what) {
        return probe.operation(what.operation()).executions() > 0;
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void with_onefold_it_does_not_and_all_get_one_answer(Source source, Consequence what) throws Exception {
        Wanted wanted = wanted(what);
        probe.reset();

        int calls = sendMany(source, wanted);

        // duplicates may be told before the first execution is counted
        until(
                "all have ended",
                () -> hasRun(what) && probe.operation(what.operation()).replays() == calls - 1);
        probe.operation(what.operation()).ranOnce().refused(0).busy(0);
        assertThat(happened(what, wanted.order)).isEqualTo(1);
        switch (what) {
            case DOUBLE_CHARGE -> assertThat(order(wanted.order).state()).isEqualTo(Order.State.PAID);
            case DUPLICATE_ORDER -> assertThat(orders()).isEqualTo(1);
            case OVERSELL -> assertThat(another("/orders")).isEqualTo(201);
            case INCONSISTENCY -> assertThat(order(wanted.order).total()).isEqualByComparingTo("4.00");
        }
    }

    /** Returns how many requests were sent, all told. */
    private int sendMany(Source source, Wanted wanted) throws Exception {
        Callable<?> post = () -> customers.post(wanted.path, wanted.key, wanted.body);
        switch (source) {
            case DOUBLE_CLICK -> {
                expected(all(post), MANY);
                return MANY;
            }
            case TIMEOUT -> {
                customers.postAndLeave(wanted.path, wanted.key, wanted.body);
                expected(all(post), MANY);
                return MANY + 1;
            }
            case SERVICE_RETRY -> {
                AtomicInteger tries = new AtomicInteger();
                CompletableFuture<CallResults> services;
                try (Hold untilAllRetry = hold(wanted.order)) {
                    services = CompletableFuture.supplyAsync(
                            () -> all(() ->
                                    customers.insist(wanted.path, wanted.key, wanted.body, tries::incrementAndGet)),
                            task -> new Thread(task).start());
                    until("all have tried again", () -> tries.get() == 2 * MANY);
                }
                expected(services.get(), MANY);
                return 2 * MANY;
            }
        }
        throw new IllegalArgumentException(source.name());
    }

    private static CallResults all(Callable<?> call) {
        return DuplicateCalls.of(call).times(MANY).within(Customers.PATIENCE).concurrently();
    }

    private static void expected(CallResults replies, int answers) {
        assertThat(replies.sameAnswer().list())
                .allMatch(reply -> reply.status() == 200 || reply.status() == 201)
                .hasSize(answers);
    }

    private int another(String path) throws Exception {
        return customers.post(path, TimeOrderedIds.next().toString(), wanted()).statusCode();
    }

    private long happened(Consequence what, long order) {
        return switch (what) {
            case DOUBLE_CHARGE -> provider.charges(order);
            case DUPLICATE_ORDER, OVERSELL -> 2 - number("SELECT available FROM product WHERE sku = ?", sku);
            case INCONSISTENCY -> 10 - usesLeft();
        };
    }

    private Wanted wanted(Consequence what) throws Exception {
        String key = TimeOrderedIds.next().toString();
        if (what == Consequence.DUPLICATE_ORDER || what == Consequence.OVERSELL) {
            return new Wanted("/orders", key, wanted(), 0);
        }
        long order = placed();
        String path = what == Consequence.DOUBLE_CHARGE ? "/payment" : "/coupons/" + coupon;
        return new Wanted("/orders/" + order + path, key, "", order);
    }

    /** @param order the order that is there before, or 0 */
    private record Wanted(String path, String key, String body, long order) {}
}
