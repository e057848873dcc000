package io.onefold.shop;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** The payment provider has not charged, and never will under the same key. */
@ResponseStatus(HttpStatus.PAYMENT_REQUIRED)
class PaymentRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PaymentRefusedException(Throwable cause) {
        super("the payment provider has refused", cause);
    }
}
