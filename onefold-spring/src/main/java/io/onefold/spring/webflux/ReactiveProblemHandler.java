package io.onefold.spring.webflux;

import io.onefold.OnefoldException;
import io.onefold.http.HttpContract;
import io.onefold.spring.ClaimNotRecordedException;
import io.onefold.spring.MalformedKeyException;
import io.onefold.spring.MissingKeyException;
import io.onefold.spring.web.OutcomeResponses;
import io.onefold.store.CommitUnknownException;
import io.onefold.store.TransactionConflictException;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.server.ServerWebExchange;

/**
 * Responds with the HTTP contract to exceptions that an annotated handler does not handle, unless the application handles them. It stands
 * just before advice without an order: advice for every exception would otherwise replace these responses by accident.
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE - 1)
public final class ReactiveProblemHandler {
    private final Supplier<HttpContract> contract;

    public ReactiveProblemHandler(Supplier<HttpContract> contract) {
        this.contract = contract;
    }

    @ExceptionHandler({
        OnefoldException.class,
        MissingKeyException.class,
        MalformedKeyException.class,
        ClaimNotRecordedException.class,
        CommitUnknownException.class,
        // as the cause of a RetryableTransactionException, which cannot be named where there are no transactions
        TransactionConflictException.class
    })
    ResponseEntity<byte[]> answer(RuntimeException why, ServerWebExchange web) {
        return OutcomeResponses.of(why, contract.get(), new WebFluxRequestHead(web.getRequest()));
    }
}
