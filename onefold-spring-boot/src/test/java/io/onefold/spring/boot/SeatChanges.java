package io.onefold.spring.boot;

import io.onefold.spring.Idempotent;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessException;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** An application whose controller keeps an entity in its session while it calls joined methods of a service. */
@Configuration(proxyBeanMethods = false)
@Import({Theatre.class, SeatChanges.Seats.class, SeatChanges.Controller.class, SeatChanges.Ends.class})
class SeatChanges {
    /** Something that happens elsewhere while a method runs. */
    interface Meanwhile {
        void happens() throws Exception;
    }

    static class Seats {
        @PersistenceContext
        private @Nullable EntityManager session;

        private final AtomicInteger runs = new AtomicInteger();
        private volatile Meanwhile meanwhile = () -> {};

        public Booking find(String id) {
            return Objects.requireNonNull(session).find(Booking.class, id);
        }

        private String moved(Booking booking, String seat) throws Exception {
            runs.incrementAndGet();
            booking.move(seat);
            meanwhile.happens();
            return "moved";
        }

        @Idempotent(operation = "move", key = "#key", matching = "#seat", maxAttempts = 1)
        @Transactional
        public String move(String key, Booking booking, String seat) throws Exception {
            return moved(booking, seat);
        }

        /** Is given nothing of a session, so that it can run again: its configuration says so. */
        @Idempotent(operation = "move-again", key = "#key", matching = "#seat")
        @Transactional
        public String moveAgain(String key, String id, String seat) throws Exception {
            return moved(find(id), seat);
        }

        @Idempotent(operation = "charge", key = "#key", waitFor = "20s")
        @Transactional
        public String charge(String key, int amount) throws Exception {
            runs.incrementAndGet();
            meanwhile.happens();
            return "charged " + amount;
        }

        /** Not joined. */
        @Transactional
        public void mark(Booking booking, String seat) {
            booking.move(seat);
        }

        public int runs() {
            return runs.get();
        }

        public void meanwhile(Meanwhile something) {
            meanwhile = something;
        }
    }

    @RestController
    static class Controller {
        private final Seats seats;

        Controller(Seats seats) {
            this.seats = seats;
        }

        @PostMapping("/move")
        public String move(@RequestParam String key, @RequestParam String id, @RequestParam String seat)
                throws Exception {
            return seats.move(key, seats.find(id), seat);
        }

        @PostMapping("/move-again")
        public String moveAgain(@RequestParam String key, @RequestParam String id, @RequestParam String seat)
                throws Exception {
            return seats.moveAgain(key, id, seat);
        }

        /** Finds, charges, and marks. */
        @PostMapping("/pay")
        public String pay(
                @RequestParam String key,
                @RequestParam String id,
                @RequestParam String seat,
                @RequestParam(defaultValue = "false") boolean dies)
                throws Exception {
            Booking booking = seats.find(id);
            String charged = seats.charge(key, 5);
            if (dies) {
                throw new IllegalStateException("the process is lost here");
            }
            seats.mark(booking, seat);
            return charged;
        }

        /** Changes an entity before the call, outside of transactions. */
        @PostMapping("/change-and-charge")
        public ResponseEntity<String> changeAndCharge(
                @RequestParam String key,
                @RequestParam String id,
                @RequestParam String seat,
                @RequestParam(defaultValue = "5") int amount)
                throws Exception {
            seats.find(id).move(seat);
            try {
                return ResponseEntity.ok(seats.charge(key, amount));
            } catch (DataAccessException e) {
                return ResponseEntity.status(418).body(e.getClass().getSimpleName());
            }
        }
    }

    /** Counts the transactions that are over. */
    static class Ends implements TransactionExecutionListener {
        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
            count.incrementAndGet();
        }

        @Override
        public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
            count.incrementAndGet();
        }

        int count() {
            return count.get();
        }
    }
}
