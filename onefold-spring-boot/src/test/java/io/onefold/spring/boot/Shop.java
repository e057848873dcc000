package io.onefold.spring.boot;

import io.onefold.spring.Idempotent;
import io.onefold.spring.NotIdempotent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A small application: a leased handler, a joined one, one that nothing protects, and one that says why it needs nothing. */
@Application
@Import(Shop.Counter.class)
class Shop {
    record Payment(String id, int amount) {}

    record Receipt(String id, int number) {}

    @Bean
    Runs runs() {
        return new Runs();
    }

    /** How often each payment was handled. */
    static class Runs {
        private final Map<String, Integer> byId = new ConcurrentHashMap<>();

        int next(String id) {
            return byId.merge(id, 1, Integer::sum);
        }

        int of(String id) {
            return byId.getOrDefault(id, 0);
        }
    }

    @RestController
    static class Counter {
        private final JdbcTemplate jdbc;
        private final Runs runs;

        Counter(JdbcTemplate jdbc, Runs runs) {
            this.jdbc = jdbc;
            this.runs = runs;
            jdbc.execute("create table orders (id varchar(80), amount int)");
        }

        @PostMapping("/pay")
        @Idempotent(operation = "pay", keep = "3d")
        public ResponseEntity<Receipt> pay(@RequestBody Payment payment) {
            return ResponseEntity.status(HttpStatus.CREATED).body(new Receipt(payment.id(), runs.next(payment.id())));
        }

        @PostMapping("/orders")
        @Idempotent(operation = "create-order")
        @Transactional
        public Receipt order(@RequestBody Payment payment) {
            jdbc.update("insert into orders values (?, ?)", payment.id(), payment.amount());
            if (payment.amount() < 0) {
                throw new IllegalStateException("less than nothing");
            }
            return new Receipt(payment.id(), runs.next(payment.id()));
        }

        @PostMapping("/notes")
        public Receipt note(@RequestBody Payment payment) {
            return new Receipt(payment.id(), runs.next(payment.id()));
        }

        @DeleteMapping("/orders/{id}")
        @NotIdempotent("deleting twice does no harm")
        public void delete(@PathVariable String id) {
            jdbc.update("delete from orders where id = ?", id);
        }
    }
}
