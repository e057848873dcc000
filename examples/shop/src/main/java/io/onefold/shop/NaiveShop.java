package io.onefold.shop;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What not to do. The same services without Onefold, protected by what is often taken for enough: look whether it was done, do it, note
 * that it was done. Of two who look at the same time, neither finds anything.
 */
@Service
class NaiveShop {
    private final Orders orders;
    private final Coupons coupons;
    private final Warehouse warehouse;
    private final PaymentProvider provider;
    private final TransactionTemplate transactions;
    private final Gap gap;
    private final Map<String, Object> done = new ConcurrentHashMap<>();

    NaiveShop(JdbcClient db, PaymentProvider provider, PlatformTransactionManager manager, ObjectProvider<Gap> gap) {
        // made here and not by Spring, so that no annotation on them has any effect
        this.orders = new Orders(db);
        this.coupons = new Coupons(db, orders);
        this.warehouse = new Warehouse(db, orders);
        this.provider = provider;
        this.transactions = new TransactionTemplate(manager);
        this.gap = gap.getIfAvailable(() -> () -> {});
    }

    Order place(String requestId, OrderRequest request) {
        return once("order " + requestId, () -> inTransaction(() -> orders.place(request)));
    }

    Order use(long orderId, String code) {
        return once("coupon " + orderId + " " + code, () -> inTransaction(() -> coupons.discount(orderId, code)));
    }

    /** Without a key of its own for the charge, it is the provider's to guess whether a second one was meant. */
    Receipt pay(long orderId) {
        return once("payment " + orderId, () -> {
            Receipt receipt = provider.charge(null, orderId, orders.get(orderId).total(), PaymentProvider.expiry());
            orders.paid(orderId, receipt.chargeId());
            return receipt;
        });
    }

    void on(OrderPaid message) {
        once(
                "message " + message.messageId(),
                () -> inTransaction(() -> {
                    warehouse.on(message);
                    return true;
                }));
    }

    @SuppressWarnings("unchecked") // what was done under a name always has the same type
    private <T> T once(String name, Supplier<T> work) {
        Object before = done.get(name);
        if (before != null) {
            return (T) before;
        }
        gap.pass();
        T now = work.get();
        done.put(name, now);
        return now;
    }

    private <T> T inTransaction(Supplier<T> work) {
        return transactions.execute(status -> work.get());
    }
}
