package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.onefold.Onefold;
import io.onefold.TimeOrderedIds;
import io.onefold.spring.Idempotent;
import io.onefold.test.AutoConfigureOnefold;
import io.onefold.test.DuplicateCalls;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tests of slices, with the starter on the class path. */
class SlicesTest {
    @Nested
    @WebMvcTest
    @ContextConfiguration(classes = Application.class)
    class OfMvc {
        @Test
        void starts_and_nothing_is_idempotent_in_it(
                @Autowired MockMvc mvc, @Autowired ObjectProvider<Onefold> onefold) {
            assertThat(onefold.getIfAvailable()).isNull();
            DuplicateCalls.of(mvc, post("/orders").header("Idempotency-Key", "k"))
                    .oneByOne()
                    .ran(2);
        }
    }

    /** As the guide has it. */
    @Nested
    @ContextConfiguration(classes = Application.class)
    @TestPropertySource(properties = "onefold.http.principal=anonymous")
    @WebMvcTest(OrderController.class)
    @AutoConfigureOnefold
    class OrderControllerTest {
        @Test
        void duplicates_are_replayed(@Autowired MockMvc mvc) {
            DuplicateCalls.of(mvc, post("/orders").header("Idempotency-Key", TimeOrderedIds.next()))
                    .times(5)
                    .concurrently()
                    .ranOnce()
                    .replayed(4)
                    .sameAnswer();
        }
    }

    @Nested
    @ContextConfiguration(classes = Application.class)
    @TestPropertySource(properties = {"onefold.http.principal=anonymous", "onefold.http.cover=all"})
    @WebMvcTest(OrderController.class)
    @AutoConfigureOnefold
    class OfAMockedController {
        @MockitoBean
        @SuppressWarnings("NullAway.Init") // Spring puts it in
        private OrderController controller;

        @Test
        void is_called_as_often_as_it_is_asked_with_a_key_and_without(@Autowired MockMvc mvc) throws Exception {
            String key = TimeOrderedIds.next().toString();
            mvc.perform(post("/orders").header("Idempotency-Key", key)).andExpect(status().isOk());
            mvc.perform(post("/orders").header("Idempotency-Key", key)).andExpect(status().isOk());
            mvc.perform(post("/orders")).andExpect(status().isOk());
            verify(controller, times(3)).order();
        }
    }

    @Nested
    @WebFluxTest(properties = {"onefold.http.principal=anonymous", "spring.main.web-application-type=reactive"})
    @AutoConfigureOnefold
    @ContextConfiguration(classes = Application.class)
    class OfWebFluxWithOnefold {
        @Test
        void duplicates_are_replayed(@Autowired WebTestClient client) {
            String key = TimeOrderedIds.next().toString();

            DuplicateCalls.of(client, http -> http.post().uri("/orders").header("Idempotency-Key", key))
                    .times(5)
                    .concurrently()
                    .ranOnce()
                    .replayed(4)
                    .sameAnswer();
        }
    }

    @Nested
    @JdbcTest
    @ContextConfiguration(classes = Application.class)
    class OfJdbc {
        @Test
        void starts(@Autowired JdbcTemplate jdbc, @Autowired ObjectProvider<Onefold> onefold) {
            assertThat(jdbc.queryForObject("select 1", Integer.class)).isEqualTo(1);
            assertThat(onefold.getIfAvailable()).isNull();
        }
    }

    @SpringBootConfiguration
    @Import(OrderController.class)
    static class Application {}

    @RestController
    static class OrderController {
        private final AtomicInteger orders = new AtomicInteger();

        @PostMapping("/orders")
        @Idempotent(operation = "order")
        public String order() {
            return "order " + orders.incrementAndGet();
        }
    }
}
