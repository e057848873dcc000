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
     */
    @Idempotent(operation = "use-coupon", key = "#orderId + ':' + #code", keep = "7d")
    @Transactional
    Order use(long orderId, String code) {
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
        if (db.sql("UPDATE orders SET total = total - ? WHERE id = ? AND charge_id IS NULL")
                        .params(discount, orderId)
                        .update()
                == 0) {
            throw new NotFoundException("unpaid order " + orderId);
        }
        return orders.get(orderId);
    }
}
