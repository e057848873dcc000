package io.onefold.shop;

import io.onefold.spring.Idempotent;
import java.math.BigDecimal;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Coupons make orders cheaper, each at most once for an order. */
@Service
class Coupons {
    private final JdbcClient db;
    private final Orders orders;

    Coupons(JdbcClient db, Orders orders) {
        this.db = db;
        this.orders = orders;
    }

    /**
     * Joined: the record commits with the discount or not at all. The key is what makes a use a use, so that no client has to send one.
     * The record gives every retry the first answer for as long as it is kept; that a coupon was used is true for longer, so the books
     * say it, too.
     */
    @Idempotent(operation = "use-coupon", key = "#orderId + ':' + #code", keep = "7d")
    @Transactional
    Order use(long orderId, String code) {
        boolean used = db.sql("SELECT 1 FROM coupon_use WHERE order_id = ? AND code = ?")
                .params(orderId, code)
                .query()
                .optionalValue()
                .isPresent();
        if (used) {
            return orders.get(orderId); // the record is no longer kept, but the order has its discount
        }
        Order order = discount(orderId, code);
        db.sql("INSERT INTO coupon_use (order_id, code) VALUES (?, ?)")
                .params(orderId, code)
                .update();
        return order;
    }

    /** Nothing here knows of duplicates: who calls it twice has two discounts. */
    Order discount(long orderId, String code) {
        BigDecimal discount = db.sql("SELECT discount FROM coupon WHERE code = ?")
                .param(code)
                .query(BigDecimal.class)
                .optional()
                .orElseThrow(() -> new NotFoundException("coupon " + code));
        if (db.sql("UPDATE coupon SET uses_left = uses_left - 1 WHERE code = ? AND uses_left > 0")
                        .param(code)
                        .update()
                == 0) {
            throw new SoldOutException(code);
        }
        if (db.sql("UPDATE orders SET total = total - ? WHERE id = ? AND state = 'OPEN'")
                        .params(discount, orderId)
                        .update()
                == 0) {
            throw new NotOpenException(orders.get(orderId));
        }
        return orders.get(orderId);
    }
}
