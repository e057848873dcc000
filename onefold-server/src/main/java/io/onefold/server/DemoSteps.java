package io.onefold.server;

import io.onefold.server.DemoClient.DemoOrder;
import io.onefold.server.DemoClient.DemoResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** The chapters of the demo: orders that are sent too often, without Onefold and with it. */
final class DemoSteps {
    private static final int COPIES = 5;
    private static final Duration BETWEEN_RETRIES = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String UNKNOWN = "409 outcome-unknown";

    private final CheckedOutput story;
    private final DemoScene demo;
    private final DemoClient customer = new DemoClient();
    private final String shop;
    private final String gateway;

    DemoSteps(CheckedOutput story, DemoScene demo) {
        this.story = story;
        this.demo = demo;
        this.shop = demo.shopAddress();
        this.gateway = demo.gatewayAddress();
    }

    void tell() {
        withoutOnefold();
        withOnefold();
        changedPayload();
        killedShop();
    }

    private void withoutOnefold() {
        story.chapter("1. An order is sent " + COPIES + " times at once, straight to the shop");
        DemoOrder order = DemoOrder.of(shop, "order-1", 4_200);
        List<DemoResponse> replies = customer.atOnce(order, COPIES);
        story.line("answers", Set.of("201"), told(replies));
        charged(order, COPIES);
    }

    private void withOnefold() {
        story.chapter("2. Another order is sent " + COPIES + " times at once, through the gateway");
        DemoOrder order = DemoOrder.of(gateway, "order-2", 4_200);
        List<DemoResponse> replies = customer.atOnce(order, COPIES);
        long replayed = replies.stream().filter(DemoResponse::replayed).count();
        story.line("answers", Set.of("201"), told(replies));
        story.line(
                "different answers",
                1L,
                replies.stream().map(DemoResponse::text).distinct().count());
        story.line("replays", COPIES - 1L, replayed);
        charged(order, 1);
    }

    private void changedPayload() {
        story.chapter("3. The same key again, with another amount");
        DemoOrder order = DemoOrder.of(gateway, "order-2", 9_900);
        DemoResponse refused = customer.charge(order);
        story.line("answer", "422 key-reused", told(refused));
        story.line("what differs", List.of("body.amount"), refused.fields());
        charged(order, 1);
    }

    private void killedShop() {
        story.chapter("4. The shop is killed with two orders in mid-charge: one is charged already, one is not yet");
        DemoOrder charged = DemoOrder.of(gateway, "order-3", 7_700);
        DemoOrder uncharged = DemoOrder.of(gateway, "order-4", 8_800);
        CompletableFuture<DemoResponse> first = customer.send(charged.pausing(DemoShop.AFTER));
        demo.shop().await(DemoShop.PAUSES + DemoShop.AFTER);
        CompletableFuture<DemoResponse> second = customer.send(uncharged.pausing(DemoShop.BEFORE));
        demo.shop().await(DemoShop.PAUSES + DemoShop.BEFORE);
        story.progress("kill -9 " + demo.shop().pid());
        demo.shop().kill();
        story.line("answer to the one that was charged", "502 upstream-silent", told(DemoClient.joined(first)));
        story.line("answer to the one that was not", "502 upstream-silent", told(DemoClient.joined(second)));
        story.line("retry of the one that was charged", UNKNOWN, told(customer.charge(charged)));
        story.line("retry of the one that was not", UNKNOWN, told(customer.charge(uncharged)));

        story.progress("the shop is started again; the gateway asks it for both, every " + DemoScene.RECONCILE
                + " here instead of every 5s");
        demo.restartShop();
        DemoResponse replay = retried(charged);
        story.line("retry of the one that was charged", "201 replayed", told(replay));
        charged(charged, 1);
        DemoResponse late = retried(uncharged);
        story.line("retry of the one that was not", "201", told(late));
        story.line("another one", "201 replayed", told(customer.charge(uncharged)));
        charged(uncharged, 1);
    }

    /** Sends the order again until the gateway knows its outcome. */
    private DemoResponse retried(DemoOrder order) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        DemoResponse reply = customer.charge(order);
        while (told(reply).equals(UNKNOWN) && System.nanoTime() < deadline) {
            LockSupport.parkNanos(BETWEEN_RETRIES.toNanos());
            reply = customer.charge(order);
        }
        return reply;
    }

    private void charged(DemoOrder order, int times) {
        story.line("charges of " + order.order(), times, customer.charges(shop, order));
    }

    private static Set<String> told(List<DemoResponse> replies) {
        return replies.stream().map(reply -> "" + reply.status()).collect(Collectors.toSet());
    }

    private static String told(DemoResponse reply) {
        String how = reply.replayed() ? "replayed" : reply.problem();
        return reply.status() + (how.isEmpty() ? "" : " " + how);
    }
}
