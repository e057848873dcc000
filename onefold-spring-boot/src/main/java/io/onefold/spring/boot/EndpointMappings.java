package io.onefold.spring.boot;

import io.onefold.http.Route;
import io.onefold.spring.IdempotentMethodRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The handlers of an application, as far as requests can change something through them. */
interface EndpointMappings {
    /**
     * The most specific first.
     *
     * @param with annotated methods, with the policies that the routes are to have
     * @param all whether handlers without an annotation are covered, too
     */
    List<Route> routes(IdempotentMethodRegistry with, boolean all);

    /** Handlers of the application that may change something and have no annotation, as method and path. */
    List<MappedEndpoint> unannotated();

    /**
     * Where every handler finds its request, there is nothing to check.
     *
     * @param with annotated methods, with the policies that they are to have
     * @param claimed the operations that the filter claims for
     * @throws RuntimeException if there is a handler that can be protected neither by the filter nor by itself
     */
    default void check(IdempotentMethodRegistry with, Collection<String> claimed) {}

    /**
     * Operations in shadow, some of whose requests nobody can observe.
     *
     * @param claimed the operations that the filter observes for
     */
    default Set<String> unobserved(Collection<String> claimed) {
        return Set.of();
    }
}
