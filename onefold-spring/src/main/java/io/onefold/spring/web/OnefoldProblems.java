package io.onefold.spring.web;

import io.onefold.OnefoldException;
import io.onefold.http.Answer;
import io.onefold.http.Caller;
import io.onefold.http.Field;
import io.onefold.http.HttpContract;
import io.onefold.http.Problem;
import io.onefold.http.servlet.ServletHead;
import io.onefold.spring.MissingKeyException;
import io.onefold.spring.RejectedCallException;
import io.onefold.spring.UnrecordedException;
import io.onefold.store.LostCommitException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/** Tells what an annotated handler has no answer for in the words of the HTTP contract, unless the application has its own. */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public final class OnefoldProblems {
    private final Supplier<HttpContract> contract;

    public OnefoldProblems(Supplier<HttpContract> contract) {
        this.contract = contract;
    }

    @ExceptionHandler
    ResponseEntity<byte[]> outcome(OnefoldException why, HttpServletRequest request) {
        return entity(contract.get().answer(why, head(request)));
    }

    @ExceptionHandler
    ResponseEntity<byte[]> missing(MissingKeyException why, HttpServletRequest request) {
        return problem(Problem.of(Problem.Type.KEY_MISSING, "This request needs a key."), request);
    }

    @ExceptionHandler
    ResponseEntity<byte[]> rejected(RejectedCallException why, HttpServletRequest request) {
        return problem(why.problem(), request);
    }

    @ExceptionHandler
    ResponseEntity<byte[]> unrecorded(UnrecordedException why, HttpServletRequest request) {
        return problem(Problem.of(Problem.Type.STORE_UNAVAILABLE, "Nothing was done; try again."), request);
    }

    @ExceptionHandler
    ResponseEntity<byte[]> lost(LostCommitException why, HttpServletRequest request) {
        return problem(new Problem(Problem.Type.OUTCOME_UNKNOWN, 500, "The answer of the database was lost."), request);
    }

    private ResponseEntity<byte[]> problem(Problem problem, HttpServletRequest request) {
        return entity(contract.get().answer(problem, head(request)));
    }

    private static ServletHead head(HttpServletRequest request) {
        return new ServletHead(request, any -> Caller.ANONYMOUS);
    }

    private static ResponseEntity<byte[]> entity(Answer answer) {
        HttpHeaders headers = new HttpHeaders();
        for (Field field : answer.headers()) {
            headers.add(field.name(), field.value());
        }
        // not by a constructor: Spring 6 and 7 have none in common
        return ResponseEntity.status(answer.status()).headers(headers).body(answer.body());
    }
}
