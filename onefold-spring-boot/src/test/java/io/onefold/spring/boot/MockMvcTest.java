package io.onefold.spring.boot;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import io.onefold.TimeOrderedIds;
import io.onefold.test.DuplicateCalls;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;

/** As users test an application: the starter, Spring Boot's MockMvc, and duplicates at once. */
@SpringBootTest(
        classes = Shop.class,
        properties = {
            "onefold.http.principal=anonymous",
            "spring.datasource.generate-unique-name=true",
            // joined handlers do not wait on threads of the container's unless told to
            "onefold.operations.create-order.wait-for=10s"
        })
@AutoConfigureMockMvc
class MockMvcTest {
    /** Leased, and joined. */
    @ParameterizedTest
    @ValueSource(strings = {"/pay", "/orders"})
    void of_five_requests_at_once_one_runs_and_four_are_replayed(
            String path, @Autowired MockMvc mvc, @Autowired Shop.Runs runs) {
        String id = TimeOrderedIds.next().toString();

        DuplicateCalls.of(
                        mvc,
                        post(path)
                                .header("Idempotency-Key", id)
                                .contentType(MediaType.APPLICATION_JSON)
                                .content("{\"id\": \"" + id + "\", \"amount\": 5}"))
                .times(5)
                .counting(() -> runs.of(id))
                .concurrently()
                .ranOnce()
                .replayed(4)
                .sameAnswer();
    }
}
