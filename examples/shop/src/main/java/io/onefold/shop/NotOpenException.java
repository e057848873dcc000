package io.onefold.shop;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** The order is being paid, or is paid, and what it costs can no longer change. */
@ResponseStatus(HttpStatus.CONFLICT)
class NotOpenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotOpenException(Order order) {
        super("order " + order.id() + " cannot be changed any more: it is " + order.state());
    }
}
