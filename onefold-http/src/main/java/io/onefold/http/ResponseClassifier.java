package io.onefold.http;

import io.onefold.NotExecutedException;
import io.onefold.WorkNotStartedException;
import io.onefold.http.HandlerResponse.ExecutionCertainty;
import io.onefold.http.HttpPolicy.On5xx;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides what a response says of the operation: that it ended so, that nothing happened, or that the outcome is unknown. */
final class ResponseClassifier {
    private ResponseClassifier() {}

    /**
     * The answer as it is kept.
     *
     * @param at now, in seconds
     * @throws HandlerHadNoEffectException if the request may be tried again
     * @throws HandlerNotStartedException if it may be tried again, as if it had not come
     * @throws ResponseUnknownException if it must not be
     */
    static StoredResponse of(HandlerResponse produced, HttpPolicy policy, long at) {
        if (produced.certainty() == ExecutionCertainty.LAST) {
            return kept(produced, policy, at);
        }
        if (produced.certainty() == ExecutionCertainty.NOT_BEGUN) {
            throw new HandlerNotStartedException(produced.status());
        }
        if (produced.certainty() == ExecutionCertainty.NOT_EXECUTED || saysNotExecuted(produced)) {
            throw new HandlerHadNoEffectException(produced.status());
        }
        if (produced.certainty() == ExecutionCertainty.UNKNOWN) {
            // its status is the adapter's own and says nothing: statuses have a meaning only in responses
            throw new ResponseUnknownException(produced);
        }
        if (free(produced.status(), policy)) {
            throw new HandlerHadNoEffectException(produced.status());
        }
        if (produced.status() >= 500 && policy.on5xx == On5xx.UNKNOWN) {
            throw new ResponseUnknownException(produced);
        }
        return kept(produced, policy, at);
    }

    /**
     * Returns the meaning of a response that was made of an exception.
     *
     * @param said the response, as if it had been given without an exception
     */
    static HandlerResponse thrown(Throwable thrown, HandlerResponse said, HttpPolicy policy) {
        if (said.certainty() == ExecutionCertainty.SENT) {
            return said; // an error page without an end: it cannot be held any more
        }
        List<Class<? extends Throwable>> retryable = Objects.requireNonNull(policy.retryable);
        List<Class<? extends Throwable>> fatal = Objects.requireNonNull(policy.fatal);
        boolean nothing = thrown instanceof NotExecutedException;
        for (Class<?> type = thrown.getClass(); type != null && !nothing; type = type.getSuperclass()) {
            if (fatal.contains(type)) {
                return HandlerResponse.last(said.status(), said.headers(), said.body());
            }
            nothing = retryable.contains(type);
        }
        return nothing ? HandlerResponse.notExecuted(said.status(), said.headers(), said.body()) : said.because(thrown);
    }

    /** Returns the stored form of a response whose effect is committed; null if the response is not known, or not to its end. */
    static @Nullable StoredResponse committed(HandlerResponse produced, HttpPolicy policy, long at) {
        if (produced.certainty() != ExecutionCertainty.ANSWERED && produced.certainty() != ExecutionCertainty.SENT) {
            return null;
        }
        return kept(produced, policy, at);
    }

    /** Returns the stored form of a response whose effect was undone; null if the request may be tried again. */
    static @Nullable StoredResponse undone(HandlerResponse produced, HttpPolicy policy, long at) {
        boolean last = produced.certainty() == ExecutionCertainty.LAST;
        if (!last && (produced.certainty() != ExecutionCertainty.ANSWERED || produced.status() >= 500)) {
            return null;
        }
        try {
            return of(produced, policy, at);
        } catch (HandlerHadNoEffectException | HandlerNotStartedException | ResponseUnknownException e) {
            return null;
        }
    }

    /** Returns the stored form of a response, regardless of its meaning. */
    static StoredResponse kept(HandlerResponse produced, HttpPolicy policy, long at) {
        boolean there =
                produced.certainty() == ExecutionCertainty.ANSWERED || produced.certainty() == ExecutionCertainty.LAST;
        boolean whole = there && ProtectedOperation.yes(policy.storesBody);
        List<HeaderField> kept =
                StoredHeaderRules.kept(produced.headers(), Objects.requireNonNull(policy.storedHeaders));
        byte[] body = produced.body();
        ContentCodings codings = ContentCodings.of(values(produced, "Content-Encoding"));
        if (whole && !codings.isEmpty()) {
            // the next client may not understand the coding
            body = decoded(body, codings, Objects.requireNonNull(policy.maxHeld));
            // a strong tag is for the coded bytes
            kept.removeIf(field ->
                    field.name().equalsIgnoreCase("ETag") && !field.value().startsWith("W/"));
        }
        long until = at + Objects.requireNonNull(policy.keep).toSeconds();
        return StoredResponse.of(produced.status(), kept, whole ? body : null, until);
    }

    /** Null if a coding is not known, its bytes are broken, or there are too many of them. */
    private static byte @Nullable [] decoded(byte[] body, ContentCodings codings, int max) {
        if (!codings.areKnown()) {
            return null;
        }
        try (InputStream plain = codings.decode(new ByteArrayInputStream(body), max)) {
            return plain.readAllBytes();
        } catch (IOException e) {
            return null;
        }
    }

    private static List<String> values(HandlerResponse produced, String name) {
        List<String> values = new ArrayList<>(0);
        for (HeaderField field : produced.headers()) {
            if (field.name().equalsIgnoreCase(name)) {
                values.add(field.value());
            }
        }
        return values;
    }

    private static boolean saysNotExecuted(HandlerResponse produced) {
        for (String value : values(produced, "Onefold-Outcome")) {
            if (value.strip().equalsIgnoreCase("not-executed")) {
                return true;
            }
        }
        return false;
    }

    private static boolean free(int status, HttpPolicy policy) {
        return HttpStatusRules.isNeverStored(status)
                || Objects.requireNonNull(policy.neverStored).contains(status)
                || (status >= 500 && policy.on5xx == On5xx.RETRY)
                || (status < 500 && status >= 300 && ProtectedOperation.yes(policy.onlySuccess));
    }

    /** The request may be tried again, as if it had not come. */
    static final class HandlerNotStartedException extends WorkNotStartedException {
        private static final long serialVersionUID = 1;

        HandlerNotStartedException(int status) {
            super("answered " + status, null);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** The request may be tried again. */
    static final class HandlerHadNoEffectException extends NotExecutedException {
        private static final long serialVersionUID = 1;

        HandlerHadNoEffectException(int status) {
            super("answered " + status, null);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** The request may have been carried out. */
    static final class ResponseUnknownException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ResponseUnknownException(HandlerResponse produced) {
            super("answered " + produced.status(), produced.cause(), true, false);
        }
    }
}
