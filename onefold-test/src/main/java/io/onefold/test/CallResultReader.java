package io.onefold.test;

import io.onefold.AttemptFailedException;
import io.onefold.ConflictException;
import io.onefold.InProgressException;
import io.onefold.OperationFailedException;
import io.onefold.Outcome;
import io.onefold.OvertakenException;
import io.onefold.RejectedException;
import io.onefold.ResultNotKeptException;
import io.onefold.UnknownOutcomeException;
import io.onefold.test.CallResult.Kind;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Finds out from what a call returned or threw what became of it. */
final class CallResultReader {
    private static final boolean SPRING = present("org.springframework.http.ResponseEntity");

    private final HttpResultReader http;

    CallResultReader(HttpResultReader http) {
        this.http = http;
    }

    HttpResultReader http() {
        return http;
    }

    CallResult of(@Nullable Object returned) {
        if (returned instanceof Outcome<?> outcome) {
            return of(outcome);
        }
        if (returned instanceof CallResult reply) {
            return reply;
        }
        if (returned instanceof HttpResponse<?> response) {
            return http.of(
                    response.statusCode(),
                    name -> response.headers().firstValue(name).orElse(null),
                    response.body());
        }
        CallResult spring = SPRING ? SpringResultReader.of(returned, http) : null;
        return spring != null ? spring : new CallResult(Kind.RETURNED, 0, returned, String.valueOf(returned));
    }

    private static CallResult of(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Executed<?> executed) {
            return told(Kind.RAN, executed.value());
        }
        if (outcome instanceof Outcome.Overtaken<?> overtaken) {
            return told(Kind.RAN, overtaken.value());
        }
        if (outcome instanceof Outcome.Replayed<?> replayed) {
            return told(Kind.REPLAYED, replayed.value());
        }
        if (outcome instanceof Outcome.Failed<?> failed) {
            return told(Kind.REPLAYED, failed.failure());
        }
        Kind kind = outcome instanceof Outcome.InProgress<?>
                ? Kind.BUSY
                : outcome instanceof Outcome.Conflict<?>
                        ? Kind.CONFLICT
                        : outcome instanceof Outcome.Unknown<?>
                                ? Kind.UNKNOWN
                                : outcome instanceof Outcome.AttemptFailed<?> ? Kind.ATTEMPT_FAILED : Kind.REFUSED;
        return told(kind, outcome);
    }

    private static CallResult told(Kind kind, @Nullable Object value) {
        return new CallResult(kind, 0, value, String.valueOf(value));
    }

    CallResult ofThrown(Throwable thrown) {
        Throwable cause = thrown.getCause();
        if ((thrown instanceof ExecutionException || thrown instanceof CompletionException) && cause != null) {
            return ofThrown(cause);
        }
        CallResult spring = SPRING ? SpringResultReader.ofThrown(thrown, http) : null;
        return spring != null ? spring : new CallResult(kind(thrown), 0, thrown, thrown.toString());
    }

    private static Kind kind(Throwable thrown) {
        if (thrown instanceof OperationFailedException || thrown instanceof ResultNotKeptException) {
            return Kind.REPLAYED;
        }
        if (thrown instanceof OvertakenException) {
            return Kind.RAN;
        }
        if (thrown instanceof InProgressException) {
            return Kind.BUSY;
        }
        if (thrown instanceof ConflictException) {
            return Kind.CONFLICT;
        }
        if (thrown instanceof UnknownOutcomeException) {
            return Kind.UNKNOWN;
        }
        if (thrown instanceof AttemptFailedException) {
            return Kind.ATTEMPT_FAILED;
        }
        return thrown instanceof RejectedException ? Kind.REFUSED : Kind.THREW;
    }

    private static boolean present(String name) {
        try {
            Class.forName(name, false, CallResultReader.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
