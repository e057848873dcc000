package io.onefold.spring.boot;

import io.onefold.spring.Idempotent;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** An application with JPA, that nothing secures, and that has no Redis. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        excludeName = {
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisReactiveAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisRepositoriesAutoConfiguration"
        })
@Import({Theatre.Counter.class, Theatre.ExplainingCounter.class})
class Theatre {
    record Wish(String id, String seat) {}

    record Ticket(String id, int number) {}

    @Bean
    BoxOffice office() {
        return new BoxOffice();
    }

    static class BoxOffice {
        @PersistenceContext
        private @Nullable EntityManager bookings;

        private final AtomicInteger sold = new AtomicInteger();

        public EntityManager bookings() {
            if (bookings == null) {
                throw new IllegalStateException("there is no session");
            }
            return bookings;
        }

        public Ticket sell(String id, String seat) {
            bookings().persist(new Booking(id, seat));
            return new Ticket(id, sold.incrementAndGet());
        }

        @Idempotent(operation = "book", key = "#id", maxAttempts = 3)
        @Transactional
        public Ticket book(String id, String seat) {
            return sell(id, seat);
        }

        /** Changes its mind when all else is done and the record is written, so that the database hears of it while committing. */
        @Idempotent(operation = "reserve", key = "#id", maxAttempts = 3)
        @Transactional
        public Ticket reserve(String id, String seat) {
            Ticket ticket = sell(id, "reserved for " + id);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    bookings().find(Booking.class, id).move(seat);
                }
            });
            return ticket;
        }

        int sold() {
            return sold.get();
        }
    }

    @RestController
    static class Counter {
        private final BoxOffice office;

        Counter(BoxOffice office) {
            this.office = office;
        }

        /** Claims for itself, in the session that is open for the request. */
        @PostMapping("/bookings")
        @Idempotent(operation = "sell", key = "#wish.id")
        @Transactional
        public Ticket sell(@RequestBody Wish wish) {
            return office.sell(wish.id(), wish.seat());
        }

        /** Has used the session before the transaction. */
        @PostMapping("/later")
        public Ticket later(@RequestBody Wish wish) {
            office.bookings().find(Booking.class, wish.id());
            return office.book(wish.id(), wish.seat());
        }
    }

    /** The same, but what the database refuses is answered. */
    @RestController
    static class ExplainingCounter {
        private final BoxOffice office;

        ExplainingCounter(BoxOffice office) {
            this.office = office;
        }

        @PostMapping("/explained")
        @Idempotent(operation = "sell-explained", key = "#wish.id")
        @Transactional
        public Ticket sell(@RequestBody Wish wish) {
            return office.sell(wish.id(), wish.seat());
        }

        @ExceptionHandler
        ResponseEntity<String> taken(DataIntegrityViolationException why) {
            return ResponseEntity.status(409).body("taken");
        }
    }
}
