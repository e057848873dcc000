package io.onefold.spring.web;

import io.onefold.OnefoldException;
import io.onefold.http.Caller;
import io.onefold.http.HttpContract;
import io.onefold.http.servlet.ServletRequestHead;
import io.onefold.spring.ClaimNotRecordedException;
import io.onefold.spring.MalformedKeyException;
import io.onefold.spring.MissingKeyException;
import io.onefold.store.CommitUnknownException;
import io.onefold.store.TransactionConflictException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Responds with the HTTP contract to exceptions that an annotated handler does not handle, unless the controller, or advice with an order,
 * handles them. It stands just before advice without an order: advice for every exception would otherwise replace these responses by
 * accident.
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE - 1)
public final class OnefoldProblemAdvice {
    private final Supplier<HttpContract> contract;

    public OnefoldProblemAdvice(Supplier<HttpContract> contract) {
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
    ResponseEntity<byte[]> answer(RuntimeException why, HttpServletRequest request) {
        return OutcomeResponses.of(why, contract.get(), new ServletRequestHead(request, any -> Caller.ANONYMOUS));
    }
}
