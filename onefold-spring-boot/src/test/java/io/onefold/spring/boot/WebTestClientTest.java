package io.onefold.spring.boot;

import io.onefold.TimeOrderedIds;
import io.onefold.test.DuplicateCalls;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

/** As users test a WebFlux application. */
@SpringBootTest(
        classes = ReactiveShop.class,
        properties = {
            "spring.main.web-application-type=reactive",
            "onefold.http.principal=anonymous",
            "spring.datasource.generate-unique-name=true"
        })
@AutoConfigureWebTestClient
class WebTestClientTest {
    @ParameterizedTest
    @ValueSource(strings = {"/pay", "/blocking"})
    void of_five_requests_at_once_one_runs_and_four_are_replayed(
            String path, @Autowired WebTestClient client, @Autowired AtomicInteger runs) {
        String id = TimeOrderedIds.next().toString();

        DuplicateCalls.of(
                        client,
                        http -> http.post()
                                .uri(path)
                                .header("Idempotency-Key", id)
                                .contentType(MediaType.APPLICATION_JSON)
                                .bodyValue("{\"id\": \"" + id + "\", \"amount\": 5}"))
                .times(5)
                .counting(runs::get)
                .concurrently()
                .ranOnce()
                .replayed(4)
                .sameAnswer();
    }
}
