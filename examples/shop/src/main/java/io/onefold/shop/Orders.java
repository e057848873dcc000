package io.onefold.shop;

import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The orders. Nothing here knows of duplicates: who calls {@link #place} twice has two orders. */
@Service
class Orders {
    private final JdbcClient db;

    Orders(JdbcClient db) {
        this.db = db;
    }

    @Transactional
    Order place(OrderRequest request) {
        BigDecimal price = db.sql("SELECT price FROM product WHERE sku = ?")
                .param(request.sku())
                .query(BigDecimal.class)
                .optional()
                .orElseThrow(() -> new NotFoundException("product " + request.sku()));
        int reserved = db.sql("UPDATE product SET available = available - :n WHERE sku = :sku AND available >= :n")
                .param("n", request.quantity())
                .param("sku", request.sku())
                .update();
        if (reserved == 0) {
            throw new SoldOutException(request.sku());
        }
        GeneratedKeyHolder id = new GeneratedKeyHolder();
        db.sql("INSERT INTO orders (customer, sku, quantity, total) VALUES (?, ?, ?, ?)")
                .params(
                        request.customer(),
                        request.sku(),
                        request.quantity(),
                        price.multiply(BigDecimal.valueOf(request.quantity())))
                .update(id, "id");
        return get(Objects.requireNonNull(id.getKey()).longValue());
    }

    Order get(long id) {
        return db.sql("SELECT * FROM orders WHERE id = ?")
                .param(id)
                .query(Order.class)
                .optional()
                .orElseThrow(() -> new NotFoundException("order " + id));
    }

    /**
     * Begins a payment, or finds the one that was begun. It commits before anybody is charged: from then on nothing changes the total,
     * which is what will be charged.
     *
     * @param until when the charge expires
     */
    Order paying(long id, OffsetDateTime until) {
        db.sql(
                        "UPDATE orders SET state = 'PAYING', payment = payment + 1, pay_until = ? WHERE id = ? AND state = 'OPEN'")
                .params(until, id)
                .update();
        return get(id);
    }

    /** For a payment that has failed for sure; one that was begun after it is left alone. */
    void reopen(Order order) {
        db.sql("UPDATE orders SET state = 'OPEN' WHERE id = ? AND payment = ? AND state = 'PAYING'")
                .params(order.id(), order.payment())
                .update();
    }

    /** Naturally safe to repeat: it says what is, not what to add. */
    void paid(long id, String chargeId) {
        db.sql("UPDATE orders SET state = 'PAID', charge_id = ? WHERE id = ?")
                .params(chargeId, id)
                .update();
    }
}
