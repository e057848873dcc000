package io.onefold.shop;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** There is no such order, product or coupon. */
@ResponseStatus(HttpStatus.NOT_FOUND)
class NotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotFoundException(String what) {
        super("there is no " + what);
    }
}
