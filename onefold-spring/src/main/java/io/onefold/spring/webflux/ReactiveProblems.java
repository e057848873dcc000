package io.onefold.spring.webflux;

import io.onefold.OnefoldException;
import io.onefold.http.HttpContract;
import io.onefold.spring.MissingKeyException;
import io.onefold.spring.RejectedCallException;
import io.onefold.spring.UnrecordedException;
import io.onefold.spring.web.CallAnswers;
import io.onefold.store.ConflictingTransactionException;
import io.onefold.store.LostCommitException;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.server.ServerWebExchange;

/**
 * Tells what an annotated handler has no answer for in the words of the HTTP contract, unless the application has its own. Just before
 * advice without an order: where that is for every exception, it would take these answers away and nobody would have meant it.
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE - 1)
public final class ReactiveProblems {
    private final Supplier<HttpContract> contract;

    public ReactiveProblems(Supplier<HttpContract> contract) {
        this.contract = contract;
    }

    @ExceptionHandler({
        OnefoldException.class,
        MissingKeyException.class,
        RejectedCallException.class,
        UnrecordedException.class,
        LostCommitException.class,
        // as the cause of a RetryableTransactionException, which cannot be named where there are no transactions
        ConflictingTransactionException.class
    })
    ResponseEntity<byte[]> answer(RuntimeException why, ServerWebExchange web) {
        return CallAnswers.of(why, contract.get(), new ExchangeHead(web.getRequest()));
    }
}
