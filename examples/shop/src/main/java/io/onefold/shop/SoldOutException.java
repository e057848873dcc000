package io.onefold.shop;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** There is not enough left of it. */
@ResponseStatus(HttpStatus.CONFLICT)
class SoldOutException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SoldOutException(String what) {
        super("not enough is left of " + what);
    }
}
