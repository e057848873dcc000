package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** What stands in the table, and how long. */
class RecordsTest {
    private static final String PAYMENT = "{\"id\":\"p\",\"amount\":1}";

    /** The filter could protect each of them as well as the handler. */
    @Test
    void a_request_has_one_record_however_many_could_make_it() throws Exception {
        try (Running shop = Running.start(Shop.class, "--onefold.http.cover=all")) {
            for (String path : List.of("/pay", "/orders", "/notes")) {
                for (int i = 0; i < 2; i++) {
                    assertThat(shop.post(path, "k", PAYMENT).statusCode()).isBetween(200, 201);
                }
            }
            assertThat(operations(shop)).containsExactlyInAnyOrder("pay", "create-order", "POST /notes");
            assertThat(shop.bean(Shop.Runs.class).of("p")).isEqualTo(3);
        }
    }

    /** Expired by the time of the second start, which looks at once. */
    @Test
    void what_is_kept_no_longer_is_swept() throws Exception {
        String[] settings = {
            "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
            "--spring.datasource.username=sa",
            "--onefold.operations.create-order.keep=100ms"
        };
        try (Running shop = Running.start(Shop.class, plus(settings, "--onefold.upkeep.enabled=false"))) {
            assertThat(shop.post("/orders", "k", PAYMENT).statusCode()).isEqualTo(200);
            assertThat(shop.post("/pay", "k", PAYMENT).statusCode()).isEqualTo(201);
            assertThat(operations(shop)).containsExactlyInAnyOrder("create-order", "pay");
            shop.bean(JdbcTemplate.class).execute("drop table orders");
        }
        try (Running shop = Running.start(Shop.class, settings)) {
            Until.holds(() -> !operations(shop).contains("create-order"));
            assertThat(operations(shop)).as("kept for days").containsExactly("pay");
        }
    }

    private static List<String> operations(Running shop) {
        return shop.bean(JdbcTemplate.class)
                .queryForList("select biz_type from idempotent_record where idem_key = 'k'", String.class);
    }

    private static String[] plus(String[] settings, String more) {
        return Stream.concat(Stream.of(settings), Stream.of(more)).toArray(String[]::new);
    }
}
