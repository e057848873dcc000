package io.onefold.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.UnknownOutcomeException;
import io.onefold.http.HttpContract;
import io.onefold.http.Route;
import io.onefold.http.servlet.IdempotencyFilter;
import io.onefold.store.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.client.MockMvcWebTestClient;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What stands in the guide, compiled and run. */
class TestingGuideTest {
    private static final Operation<String> PAY = Operation.of("pay", String.class);

    private final AtomicInteger payments = new AtomicInteger();
    private final Shop shop = new Shop();
    private final String key = "\"6f1c4f0e-9a53\"";

    private String pay() {
        return "paid " + payments.incrementAndGet();
    }

    @Test
    void duplicates() {
        Onefold onefold = Onefold.on(new MemoryStore());
        HttpContract contract =
                HttpContract.builder(onefold).route(Route.of("POST", "/orders")).build();
        MockMvc mockMvc = MockMvcBuilders.standaloneSetup(shop)
                .addFilters(new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS))
                .build();

        DuplicateCalls.of(
                        mockMvc, post("/orders").header("Idempotency-Key", key).content("book"))
                .times(5)
                .concurrently()
                .ranOnce()
                .replayed(4)
                .sameAnswer();

        assertThatThrownBy(() -> countedDuplicates(mockMvc)).hasMessageContaining("counted 0");
        OperationNames.of(contract.operations()).arePinnedIn(Path.of("src/test/resources/operations.txt"));
    }

    private void countedDuplicates(MockMvc mockMvc) {
        DuplicateCalls.of(
                        mockMvc, post("/orders").header("Idempotency-Key", key).content("book"))
                .times(5)
                .counting(() -> shop.orders())
                .concurrently()
                .ranOnce();
    }

    @Test
    void duplicates_of_other_calls() {
        Onefold onefold = Onefold.on(new MemoryStore());
        WebTestClient webTestClient =
                MockMvcWebTestClient.bindToController(shop).build();

        assertThatThrownBy(() -> duplicatesOfWebTestClient(webTestClient)).hasMessageContaining("5 were");

        DuplicateCalls.of(() -> onefold.attempt(PAY, Key.of(key), attempt -> pay()))
                .times(5)
                .concurrently()
                .ranOnce()
                .replayed(4);
    }

    private void duplicatesOfWebTestClient(WebTestClient webTestClient) {
        DuplicateCalls.of(webTestClient, client -> client.post().uri("/orders").header("Idempotency-Key", key))
                .times(5)
                .concurrently()
                .ranOnce();
    }

    @Test
    void counting() {
        OutcomeCounter probe = new OutcomeCounter();
        Onefold onefold = Onefold.builder(new MemoryStore()).listener(probe).build();

        for (int i = 0; i < 5; i++) {
            onefold.run(PAY, Key.of("order-1"), attempt -> pay());
        }

        probe.operation("pay").ranOnce().replayed(4).conflicts(0);
    }

    @Test
    void chaos() {
        FaultInjectingStore chaos = FaultInjectingStore.around(new MemoryStore());
        Onefold onefold = Onefold.on(chaos);
        chaos.fail(CrashPoint.AFTER_CLAIM).operation("pay").times(2);

        onefold.run(PAY, Key.of("order-1"), attempt -> pay());

        assertThat(chaos.struck()).isEqualTo(2);
    }

    @Test
    void time() {
        MovableClock clock = MovableClock.running();
        FaultInjectingStore chaos = FaultInjectingStore.around(new MemoryStore(clock::micros));
        Onefold onefold = Onefold.builder(chaos).timer(clock.timer()).build();

        chaos.crash(CrashPoint.BEFORE_COMPLETE).once();
        assertThatThrownBy(() -> onefold.run(PAY, Key.of("order-1"), attempt -> pay()))
                .isInstanceOf(SimulatedCrash.class);
        clock.advance(Duration.ofMinutes(1));

        assertThatThrownBy(() -> onefold.run(PAY, Key.of("order-1"), attempt -> pay()))
                .isInstanceOf(UnknownOutcomeException.class);
        assertThat(payments).hasValue(1);
    }

    @ArchTest
    static final ArchRule nothing_is_forgotten = OnefoldArchRules.MUTATING_HANDLERS_ARE_IDEMPOTENT;

    @ParameterizedTest
    @ValueSource(strings = {"testing.md", "testing.zh.md"})
    void the_guide_says_nothing_else(String guide) throws IOException {
        Path boot = Path.of("../onefold-spring-boot/src/test/java/io/onefold/spring/boot");
        String here = squeezed(Files.readString(Path.of("src/test/java/io/onefold/test/TestingGuideTest.java"))
                + Files.readString(boot.resolve("SlicesTest.java"))
                + Files.readString(boot.resolve("TestKitTest.java"))
                + Files.readString(boot.resolve("GuaranteeTest.java")));
        List<String> snippets = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs", guide)))
                .results()
                .map((MatchResult block) -> block.group(1))
                .flatMap(block -> List.of(block.split("\n\n", -1)).stream())
                .toList();

        assertThat(snippets).hasSizeGreaterThan(8);
        for (String snippet : snippets) {
            assertThat(here).contains(squeezed(snippet));
        }
    }

    private static String squeezed(String code) {
        return code.replaceAll("\\s+", "");
    }

    @RestController
    static final class Shop {
        private final AtomicInteger orders = new AtomicInteger();

        int orders() {
            return orders.get();
        }

        @PostMapping("/orders")
        String order(@RequestBody(required = false) String what) {
            return "order " + orders.incrementAndGet() + ": " + what;
        }
    }
}
