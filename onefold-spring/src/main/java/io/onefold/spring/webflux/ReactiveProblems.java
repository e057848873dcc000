package io.onefold.spring.webflux;

import io.onefold.OnefoldException;
import io.onefold.http.Answer;
import io.onefold.http.HttpContract;
import io.onefold.http.Problem;
import io.onefold.spring.MissingKeyException;
import io.onefold.spring.RejectedCallException;
import io.onefold.store.LostCommitException;
import io.onefold.store.StoreException;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.server.ServerWebExchange;

/** Tells what an annotated handler has no answer for in the words of the HTTP contract, unless the application has its own. */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public final class ReactiveProblems {
    private final Supplier<HttpContract> contract;

    public ReactiveProblems(Supplier<HttpContract> contract) {
        this.contract = contract;
    }

    @ExceptionHandler
    ResponseEntity<byte[]> outcome(OnefoldException why, ServerWebExchange web) {
        return entity(contract.get().answer(why, new ExchangeHead(web.getRequest())));
    }

    @ExceptionHandler
    ResponseEntity<byte[]> missing(MissingKeyException why, ServerWebExchange web) {
        return problem(Problem.of(Problem.Type.KEY_MISSING, "This request needs a key."), web);
    }

    @ExceptionHandler
    ResponseEntity<byte[]> rejected(RejectedCallException why, ServerWebExchange web) {
        return problem(why.problem(), web);
    }

    @ExceptionHandler
    ResponseEntity<byte[]> unreachable(StoreException why, ServerWebExchange web) {
        return problem(
                why instanceof LostCommitException
                        ? new Problem(Problem.Type.OUTCOME_UNKNOWN, 500, "The answer of the database was lost.")
                        : Problem.of(Problem.Type.STORE_UNAVAILABLE, "Nothing was done; try again."),
                web);
    }

    private ResponseEntity<byte[]> problem(Problem problem, ServerWebExchange web) {
        return entity(contract.get().answer(problem, new ExchangeHead(web.getRequest())));
    }

    private static ResponseEntity<byte[]> entity(Answer answer) {
        // not by a constructor: Spring 6 and 7 have none in common
        return ResponseEntity.status(answer.status())
                .headers(Lines.of(answer.headers()).toHeaders())
                .body(answer.body());
    }
}
