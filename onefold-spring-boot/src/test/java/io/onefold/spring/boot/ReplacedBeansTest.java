package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.onefold.spring.Idempotent;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.TransactionMode;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

/** A test may put something else in the place of an annotated bean: what it puts there is its own affair, and not checked. */
@SpringBootTest(
        classes = ReplacedBeansTest.Application.class,
        webEnvironment = WebEnvironment.NONE,
        properties = {"onefold.store=memory", "onefold.operations.mocked.keep=2d"})
@SuppressWarnings("NullAway.Init") // Spring puts them in
class ReplacedBeansTest {
    @MockitoBean
    private Mocked mocked;

    @MockitoSpyBean
    private Spied spied;

    @TestBean
    private Stubbed stubbed;

    @Autowired
    private IdempotentMethodRegistry methods;

    static Stubbed stubbed() {
        return new Stubbed();
    }

    @Test
    void a_mock_takes_the_place_of_a_bean_though_that_one_could_not_be_joined_here() {
        when(mocked.run("a")).thenReturn(7);
        assertThat(mocked.run("a")).isEqualTo(7);
        assertThat(mocked.run("a")).isEqualTo(7);
        verify(mocked, times(2)).run("a");
    }

    @Test
    void a_spy_is_protected_as_what_it_looks_at() {
        assertThat(spied.run("a")).isEqualTo(1);
        assertThat(spied.run("a")).isEqualTo(1);
        verify(spied, times(1)).run("a");
    }

    @Test
    void a_bean_of_the_test_is_called_as_it_is() {
        assertThat(stubbed.run("a")).isEqualTo(1);
        assertThat(stubbed.run("a")).isEqualTo(2);
    }

    @Test
    void only_what_is_protected_is_told() {
        assertThat(methods.all()).extracting(IdempotentMethod::name).containsExactly("spied");
    }

    @ImportAutoConfiguration({OnefoldAutoConfiguration.class, ReportAutoConfiguration.class})
    @Import({Mocked.class, Spied.class, Stubbed.class})
    static class Application {}

    static class Mocked {
        /** There is no database. */
        @Idempotent(operation = "mocked", key = "#id", mode = TransactionMode.JOINED)
        public int run(String id) {
            return id.length();
        }
    }

    static class Spied {
        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent(operation = "spied", key = "#id")
        public int run(String id) {
            return runs.incrementAndGet();
        }
    }

    static class Stubbed {
        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent(operation = "stubbed", key = "#id")
        public int run(String id) {
            return runs.incrementAndGet();
        }
    }
}
