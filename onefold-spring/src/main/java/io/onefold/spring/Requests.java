package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.http.Exchange;
import io.onefold.http.Head;
import io.onefold.http.RejectedException;
import io.onefold.payload.Fingerprint;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the HTTP request that a handler is called for. */
@FunctionalInterface
public interface Requests {
    /** None is ever found. */
    Requests NONE = context -> null;

    /**
     * The request that this thread handles, or that the context is of.
     *
     * @param context Reactor's, of the subscription that is under way; null outside of one
     * @return null if there is none
     */
    @Nullable
    Request current(@Nullable Object context);

    /** Whether a handler whose request is not found was left to the filter, which has claimed for it wherever it can. */
    default boolean isLeftToFilter() {
        return false;
    }

    /** What a method may know and say of its request. */
    interface Request extends Head {
        /** The values of a parameter, in the query or a form. */
        List<String> parameters(String name);

        /** What the filter has claimed for this request; null if it has claimed nothing. */
        @Nullable
        Attempt attempt();

        /** The operation that the filter observes this request as; null if it does not. */
        @Nullable
        String observed();

        /** Whether the filter covers this request, and yet has let it pass on purpose: then its handler does not claim it either. */
        default boolean isUnclaimed() {
            return false;
        }

        /** Whether something was answered already: then that is the answer, and not what the handler returns. */
        default boolean isAnswered() {
            return false;
        }

        /** The request as the filter holds it; null if no filter does. */
        default @Nullable Exchange exchange() {
            return null;
        }

        /** The handler that the filter has claimed for, or observes, is called; it counts as begun unless it is {@link #refused}. */
        void begun();

        /** The call of the handler was refused: it has not come to its method, and never will. */
        void refused();

        /**
         * The fingerprint of the request with its body, as the filter takes it.
         *
         * @param more what counts besides
         * @return null if no filter holds the request for its handler
         * @throws RejectedException if the body cannot be compared: it is too large, say
         */
        default @Nullable Fingerprint fingerprint(Map<String, ? extends @Nullable Object> more)
                throws RejectedException {
            Exchange exchange = exchange();
            return exchange == null || exchange.lateClaim() == null ? null : exchange.fingerprint(more);
        }

        /** Adds a header to the answer. */
        void answer(String header, String value);

        /** The header by which answers say that they are earlier ones. */
        String replayMarker();
    }
}
