package io.onefold.shop;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The same endpoints without Onefold. When the shop starts, it is told that nothing protects them. */
@RestController
@RequestMapping("/naive/orders")
class NaiveController {
    private final NaiveShop shop;

    NaiveController(NaiveShop shop) {
        this.shop = shop;
    }

    @PostMapping
    Order place(@RequestHeader("Idempotency-Key") String requestId, @RequestBody OrderRequest request) {
        return shop.place(requestId, request);
    }

    @PostMapping("/{id}/coupons/{code}")
    Order use(@PathVariable long id, @PathVariable String code) {
        return shop.use(id, code);
    }

    @PostMapping("/{id}/payment")
    Receipt pay(@PathVariable long id) {
        return shop.pay(id);
    }
}
