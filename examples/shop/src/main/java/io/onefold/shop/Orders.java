package io.onefold.shop;

import java.math.BigDecimal;
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
        return db.sql("SELECT id, customer, sku, quantity, total, charge_id FROM orders WHERE id = ?")
                .param(id)
                .query(Order.class)
                .optional()
                .orElseThrow(() -> new NotFoundException("order " + id));
    }

    /** Naturally safe to repeat: it says what is, not what to add. */
    void paid(long id, String chargeId) {
        db.sql("UPDATE orders SET charge_id = ? WHERE id = ?")
                .params(chargeId, id)
                .update();
    }
}
