package io.onefold.shop;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** The payment provider does not answer, and may have charged nevertheless. */
@ResponseStatus(HttpStatus.GATEWAY_TIMEOUT)
class ProviderSilentException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ProviderSilentException(Throwable cause) {
        super("the payment provider does not answer", cause);
    }
}
