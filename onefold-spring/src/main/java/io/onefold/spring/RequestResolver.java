package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.http.ProblemException;
import io.onefold.http.ProtectedExchange;
import io.onefold.http.RequestHead;
import io.onefold.payload.Fingerprint;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the HTTP request of a handler's call. */
@FunctionalInterface
public interface RequestResolver {
    /** Finds no request. */
    RequestResolver NONE = context -> null;

    /**
     * The request that this thread handles, or that the context belongs to.
     *
     * @param context Reactor's context of the current subscription; null outside of one
     * @return null if there is none
     */
    @Nullable
    HandlerRequest current(@Nullable Object context);

    /** Returns true if a handler whose request is not found is left to the filter, which claims for it if it can. */
    default boolean isLeftToFilter() {
        return false;
    }

    /** The request as its handler's method sees it, with the reports of the method. */
    interface HandlerRequest extends RequestHead {
        /** The values of a parameter, in the query or a form. */
        List<String> parameters(String name);

        /** The attempt that the filter has claimed for this request; null if it has claimed nothing. */
        @Nullable
        Attempt attempt();

        /** The operation that the filter observes this request as; null if it does not. */
        @Nullable
        String observed();

        /** Returns true if the filter covers this request, but has let it pass on purpose: then its handler does not claim it either. */
        default boolean isUnclaimed() {
            return false;
        }

        /** Returns true if a response was already sent: then it counts, and not the handler's result. */
        default boolean isAnswered() {
            return false;
        }

        /** The request as the filter holds it; null if no filter does. */
        default @Nullable ProtectedExchange exchange() {
            return null;
        }

        /**
         * Notes that the handler is called for which the filter has claimed, or which it observes. It counts as begun unless it is {@link
         * #refused}.
         */
        void begun();

        /** Notes that the call of the handler was rejected: it has not reached its method, and never will. */
        void refused();

        /**
         * The fingerprint of the request with its body, as the filter takes it.
         *
         * @param more other content that counts
         * @return null if no filter holds the request for its handler
         * @throws ProblemException if the body cannot be compared, for example because it is too large
         */
        default @Nullable Fingerprint fingerprint(Map<String, ? extends @Nullable Object> more)
                throws ProblemException {
            ProtectedExchange exchange = exchange();
            return exchange == null || exchange.lateClaim() == null ? null : exchange.fingerprint(more);
        }

        /** Adds a header to the response. */
        void answer(String header, String value);

        /** The header that marks replayed responses. */
        String replayMarker();
    }
}
