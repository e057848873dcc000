package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.ConflictException;
import io.onefold.spring.HiddenState.Payment;
import io.onefold.spring.message.ListenerConfiguration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Transactional;

/** What a method sees of its argument counts, whether or not Jackson would write it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HiddenStateTest {
    private final AnnotationConfigApplicationContext context = Context.onH2(Till.class);
    private final Till till = context.getBean(Till.class);

    @AfterAll
    void stop() {
        context.close();
    }

    private void conflicts(HiddenState how, Paying paying) {
        String first = paying.pay(how.name(), how.by("4111"));
        assertThat(paying.pay(how.name(), how.by("4111"))).isEqualTo(first);
        assertThatThrownBy(() -> paying.pay(how.name(), how.by("5500")))
                .satisfies(e -> assertThat(e instanceof ConflictException ? e : e.getCause())
                        .isInstanceOf(ConflictException.class));
    }

    @ParameterizedTest
    @EnumSource
    void another_argument_of_a_service_under_one_key_is_a_conflict(HiddenState how) {
        conflicts(how, till::pay);
    }

    @ParameterizedTest
    @EnumSource
    void another_argument_of_a_joined_service_under_one_key_is_a_conflict(HiddenState how) {
        conflicts(how, till::book);
    }

    @ParameterizedTest
    @EnumSource
    void another_payload_of_a_message_under_one_key_is_a_conflict(HiddenState how) {
        conflicts(how, till::listen);
    }

    @ParameterizedTest
    @EnumSource
    void another_value_of_an_expression_under_one_key_is_a_conflict(HiddenState how) {
        conflicts(how, till::match);
    }

    @ParameterizedTest
    @EnumSource
    void other_content_is_another_request(HiddenState how) {
        String first = till.once(how.by("4111"));
        assertThat(till.once(how.by("4111"))).isEqualTo(first);
        assertThat(till.once(how.by("5500"))).isNotEqualTo(first);
    }

    private interface Paying {
        String pay(String id, Payment payment);
    }

    @Import(ListenerConfiguration.class)
    static class Till {
        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent(operation = "till.pay", key = "#id")
        public String pay(String id, Payment payment) {
            return "receipt " + runs.incrementAndGet();
        }

        @Idempotent(operation = "till.book", key = "#id")
        @Transactional
        public String book(String id, Payment payment) {
            return "receipt " + runs.incrementAndGet();
        }

        @RabbitListener(queues = "payments", autoStartup = "false")
        @Idempotent(operation = "till.listen", key = "#id", scope = "'all'")
        public String listen(String id, Payment payment) {
            return "receipt " + runs.incrementAndGet();
        }

        @Idempotent(operation = "till.match", key = "#id", matching = "{#payment}")
        public String match(String id, Payment payment) {
            return "receipt " + runs.incrementAndGet();
        }

        @Idempotent(operation = "till.once", content = "#payment", window = "1h", scope = "'all'")
        public String once(Payment payment) {
            return "receipt " + runs.incrementAndGet();
        }
    }
}
