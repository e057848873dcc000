package io.onefold.shop;

import io.onefold.spring.Idempotent;
import io.onefold.spring.NotIdempotent;
import io.onefold.spring.TransactionMode;
import java.net.URI;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What customers do. */
@RestController
@RequestMapping("/orders")
class OrderController {
    private final Orders orders;
    private final Coupons coupons;
    private final Payments payments;

    OrderController(Orders orders, Coupons coupons, Payments payments) {
        this.orders = orders;
        this.coupons = coupons;
        this.payments = payments;
    }

    /**
     * The client sends an {@code Idempotency-Key}, the same with every retry: two equal orders may both be meant, and only the client
     * knows. Joined: the order and the answer, its status and location included, commit together.
     */
    @PostMapping
    @Idempotent(
            operation = "create-order",
            mode = TransactionMode.JOINED,
            keep = "24h",
            // what is sold out today may be there tomorrow
            retryOn = SoldOutException.class)
    ResponseEntity<Order> place(@RequestBody OrderRequest request) {
        Order order = orders.place(request);
        return ResponseEntity.created(URI.create("/orders/" + order.id())).body(order);
    }

    @GetMapping("/{id}")
    Order get(@PathVariable long id) {
        return orders.get(id);
    }

    @PostMapping("/{id}/coupons/{code}")
    @NotIdempotent("Coupons.use is, by what it is for")
    Order use(@PathVariable long id, @PathVariable String code) {
        return coupons.use(id, code);
    }

    @PostMapping("/{id}/payment")
    @NotIdempotent("Payments.pay is, by what it is for")
    Receipt pay(@PathVariable long id) {
        return payments.pay(id);
    }
}
