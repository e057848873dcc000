package io.onefold.http;

import io.onefold.WorkNotStartedException;
import io.onefold.NotExecutedException;
import io.onefold.http.Policy.On5xx;
import io.onefold.http.Produced.Certainty;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides what a response says of the operation: that it ended so, that nothing happened, or that the outcome is unknown. */
final class Ending {
    private Ending() {}

    /**
     * The answer as it is kept.
     *
     * @param at now, in seconds
     * @throws NothingHappened if the request may be tried again
     * @throws NothingBegun if it may be tried again, as if it had not come
     * @throws NobodyKnows if it must not be
     */
    static StoredResponse of(Produced produced, Policy policy, long at) {
        if (produced.certainty() == Certainty.LAST) {
            return kept(produced, policy, at);
        }
        if (produced.certainty() == Certainty.NOT_BEGUN) {
            throw new NothingBegun(produced.status());
        }
        if (produced.certainty() == Certainty.NOT_EXECUTED || saysNotExecuted(produced)) {
            throw new NothingHappened(produced.status());
        }
        if (produced.certainty() == Certainty.UNKNOWN) {
            // its status is the adapter's own and says nothing: statuses have a meaning only in responses
            throw new NobodyKnows(produced);
        }
        if (free(produced.status(), policy)) {
            throw new NothingHappened(produced.status());
        }
        if (produced.status() >= 500 && policy.on5xx == On5xx.UNKNOWN) {
            throw new NobodyKnows(produced);
        }
        return kept(produced, policy, at);
    }

    /**
     * Returns the meaning of a response that was made of an exception.
     *
     * @param said the response, as if it had been given without an exception
     */
    static Produced thrown(Throwable thrown, Produced said, Policy policy) {
        if (said.certainty() == Certainty.SENT) {
            return said; // an error page without an end: it cannot be held any more
        }
        List<Class<? extends Throwable>> retryable = Objects.requireNonNull(policy.retryable);
        List<Class<? extends Throwable>> fatal = Objects.requireNonNull(policy.fatal);
        boolean nothing = thrown instanceof NotExecutedException;
        for (Class<?> type = thrown.getClass(); type != null && !nothing; type = type.getSuperclass()) {
            if (fatal.contains(type)) {
                return Produced.last(said.status(), said.headers(), said.body());
            }
            nothing = retryable.contains(type);
        }
        return nothing ? Produced.notExecuted(said.status(), said.headers(), said.body()) : said.because(thrown);
    }

    /** Returns the stored form of a response whose effect is committed; null if the response is not known, or not to its end. */
    static @Nullable StoredResponse committed(Produced produced, Policy policy, long at) {
        if (produced.certainty() != Certainty.ANSWERED && produced.certainty() != Certainty.SENT) {
            return null;
        }
        return kept(produced, policy, at);
    }

    /** Returns the stored form of a response whose effect was undone; null if the request may be tried again. */
    static @Nullable StoredResponse undone(Produced produced, Policy policy, long at) {
        boolean last = produced.certainty() == Certainty.LAST;
        if (!last && (produced.certainty() != Certainty.ANSWERED || produced.status() >= 500)) {
            return null;
        }
        try {
            return of(produced, policy, at);
        } catch (NothingHappened | NothingBegun | NobodyKnows e) {
            return null;
        }
    }

    /** Returns the stored form of a response, regardless of its meaning. */
    static StoredResponse kept(Produced produced, Policy policy, long at) {
        boolean there = produced.certainty() == Certainty.ANSWERED || produced.certainty() == Certainty.LAST;
        boolean whole = there && Covered.yes(policy.storesBody);
        List<Field> kept = StoredHeaders.kept(produced.headers(), Objects.requireNonNull(policy.storedHeaders));
        byte[] body = produced.body();
        Codings codings = Codings.of(values(produced, "Content-Encoding"));
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
    private static byte @Nullable [] decoded(byte[] body, Codings codings, int max) {
        if (!codings.areKnown()) {
            return null;
        }
        try (InputStream plain = codings.decode(new ByteArrayInputStream(body), max)) {
            return plain.readAllBytes();
        } catch (IOException e) {
            return null;
        }
    }

    private static List<String> values(Produced produced, String name) {
        List<String> values = new ArrayList<>(0);
        for (Field field : produced.headers()) {
            if (field.name().equalsIgnoreCase(name)) {
                values.add(field.value());
            }
        }
        return values;
    }

    private static boolean saysNotExecuted(Produced produced) {
        for (String value : values(produced, "Onefold-Outcome")) {
            if (value.strip().equalsIgnoreCase("not-executed")) {
                return true;
            }
        }
        return false;
    }

    private static boolean free(int status, Policy policy) {
        return Statuses.isNeverStored(status)
                || Objects.requireNonNull(policy.neverStored).contains(status)
                || (status >= 500 && policy.on5xx == On5xx.RETRY)
                || (status < 500 && status >= 300 && Covered.yes(policy.onlySuccess));
    }

    /** The request may be tried again, as if it had not come. */
    static final class NothingBegun extends WorkNotStartedException {
        private static final long serialVersionUID = 1;

        NothingBegun(int status) {
            super("answered " + status, null);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** The request may be tried again. */
    static final class NothingHappened extends NotExecutedException {
        private static final long serialVersionUID = 1;

        NothingHappened(int status) {
            super("answered " + status, null);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    /** The request may have been carried out. */
    static final class NobodyKnows extends RuntimeException {
        private static final long serialVersionUID = 1;

        NobodyKnows(Produced produced) {
            super("answered " + produced.status(), produced.cause(), true, false);
        }
    }
}
