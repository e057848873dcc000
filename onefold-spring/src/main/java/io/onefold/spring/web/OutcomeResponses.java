package io.onefold.spring.web;

import io.onefold.OnefoldException;
import io.onefold.http.HeaderField;
import io.onefold.http.HttpContract;
import io.onefold.http.OutgoingResponse;
import io.onefold.http.Problem;
import io.onefold.http.RequestHead;
import io.onefold.spring.ClaimNotRecordedException;
import io.onefold.spring.MalformedKeyException;
import io.onefold.spring.MissingKeyException;
import io.onefold.store.CommitUnknownException;
import io.onefold.store.TransactionConflictException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/** Responses of the HTTP contract to exceptions that an annotated handler does not handle. */
public final class OutcomeResponses {
    private OutcomeResponses() {}

    /**
     * The response to a request.
     *
     * @param why an exception that Onefold itself throws from calls of annotated methods
     */
    public static ResponseEntity<byte[]> of(RuntimeException why, HttpContract contract, RequestHead head) {
        OutgoingResponse answer = why instanceof OnefoldException outcome
                ? contract.answer(outcome, head)
                : contract.answer(problem(why), head);
        HttpHeaders headers = new HttpHeaders();
        for (HeaderField field : answer.headers()) {
            headers.add(field.name(), field.value());
        }
        // not by a constructor: Spring 6 and 7 have none in common
        return ResponseEntity.status(answer.status()).headers(headers).body(answer.body());
    }

    private static Problem problem(RuntimeException why) {
        if (why instanceof MissingKeyException) {
            return Problem.of(Problem.ProblemType.KEY_MISSING, "This request needs a key.");
        }
        if (why instanceof MalformedKeyException rejected) {
            return rejected.problem();
        }
        if (why instanceof ClaimNotRecordedException) {
            return Problem.of(Problem.ProblemType.STORE_UNAVAILABLE, "Nothing was done; try again.");
        }
        if (why instanceof CommitUnknownException) {
            return new Problem(Problem.ProblemType.OUTCOME_UNKNOWN, 500, "The answer of the database was lost.");
        }
        if (why instanceof TransactionConflictException || why.getCause() instanceof TransactionConflictException) {
            return Problem.of(
                    Problem.ProblemType.STORE_UNAVAILABLE,
                    "The database gave the transaction up for another; nothing of it stays. Send the request again.");
        }
        throw why;
    }
}
