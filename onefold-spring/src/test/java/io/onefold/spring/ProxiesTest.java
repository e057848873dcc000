package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Beans that are called by their interfaces, and those that are called by their classes. */
class ProxiesTest {
    private final AnnotationConfigApplicationContext context = Context.inMemory(Mail.class, Courier.class, Plain.class);

    @AfterEach
    void stop() {
        context.close();
    }

    interface Sender<T> {
        int send(T message);
    }

    static class Mail implements Sender<String> {
        private final AtomicInteger runs = new AtomicInteger();

        @Override
        @Idempotent(operation = "mail", key = "#message")
        public int send(String message) {
            return runs.incrementAndGet();
        }
    }

    interface Parcels {
        @Idempotent(operation = "parcel", key = "#p0")
        int bring(String parcel);
    }

    static class Courier implements Parcels {
        private final AtomicInteger runs = new AtomicInteger();

        @Override
        public int bring(String parcel) {
            return runs.incrementAndGet();
        }
    }

    static class Plain {
        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent(operation = "plain", key = "#id")
        public int run(String id) {
            return runs.incrementAndGet();
        }

        /** What a bean calls of itself is not seen by anybody. */
        public int twice(String id) {
            run(id);
            return run(id);
        }
    }

    @Test
    @SuppressWarnings("unchecked") // of its own kind alone
    void a_method_of_a_generic_interface_is_safe_to_repeat() {
        Sender<String> mail = (Sender<String>) context.getBean(Sender.class);
        assertThat(AopUtils.isJdkDynamicProxy(mail)).isTrue();
        assertThat(mail.send("a")).isEqualTo(1);
        assertThat(mail.send("a")).isEqualTo(1);
        assertThat(mail.send("b")).isEqualTo(2);
    }

    @Test
    void an_annotation_of_an_interface_holds_for_the_class() {
        Parcels parcels = context.getBean(Parcels.class);
        assertThat(AopUtils.isJdkDynamicProxy(parcels)).isTrue();
        assertThat(parcels.bring("a")).isEqualTo(1);
        assertThat(parcels.bring("a")).isEqualTo(1);
    }

    @Test
    void a_bean_without_interfaces_is_called_by_its_class_and_its_own_calls_are_not_seen() {
        Plain plain = context.getBean(Plain.class);
        assertThat(AopUtils.isCglibProxy(plain)).isTrue();
        assertThat(plain.run("a")).isEqualTo(1);
        assertThat(plain.run("a")).isEqualTo(1);
        assertThat(plain.twice("b")).isEqualTo(3);
    }

    @Test
    void all_are_called_by_their_classes_where_that_is_asked_for() {
        try (AnnotationConfigApplicationContext byClass = Context.inMemory(ByClass.class, Mail.class, Courier.class)) {
            Mail mail = byClass.getBean(Mail.class);
            assertThat(mail.send("a")).isEqualTo(mail.send("a"));
            Courier courier = byClass.getBean(Courier.class);
            assertThat(courier.bring("a")).isEqualTo(courier.bring("a"));
        }
    }

    @EnableIdempotent(proxyTargetClass = true)
    static class ByClass {}

    static class Beside implements Runnable {
        @Override
        public void run() {}

        @Idempotent(operation = "beside", key = "#id")
        public void other(String id) {}
    }

    @Test
    void a_method_that_no_interface_has_is_told_at_the_start() {
        assertThatThrownBy(() -> Context.inMemory(Beside.class))
                .hasMessageContaining("Beside.other cannot be made safe to repeat")
                .hasMessageContaining("none of them has it");
    }
}
