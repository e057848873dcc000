package io.onefold.test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Rules for ArchUnit.
 *
 * <pre>{@code
 * @ArchTest
 * static final ArchRule nothing_is_forgotten = OnefoldArchRules.MUTATING_HANDLERS_ARE_IDEMPOTENT;
 * }</pre>
 */
public final class OnefoldArchRules {
    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");

    /**
     * Handlers of POST and PATCH are {@code @Idempotent}, or {@code @NotIdempotent} and say why. So are those that name no method,
     * because they handle all. The starter warns of the same ones, but knows of the application's routes, too: a handler that one of
     * them covers needs no annotation there, and does here. {@link #handlersAreIdempotent} takes other methods, as
     * {@code onefold.http.mutating} does there.
     */
    public static final ArchRule MUTATING_HANDLERS_ARE_IDEMPOTENT = handlersAreIdempotent("POST", "PATCH");

    private OnefoldArchRules() {}

    /** Handlers of these methods are {@code @Idempotent}, or {@code @NotIdempotent} and say why. */
    public static ArchRule handlersAreIdempotent(String... methods) {
        Set<String> asked = new TreeSet<>(Arrays.asList(methods));
        if (asked.isEmpty() || !METHODS.containsAll(asked)) {
            throw new IllegalArgumentException("methods are some of " + METHODS + ", not " + asked);
        }
        return classes()
                .that(DescribedPredicate.describe("are controllers", HandlerMethodCheck::isController))
                .should(new HandlerCondition(asked))
                .because("a request that is sent twice is to be carried out once");
    }

    private static final class HandlerCondition extends ArchCondition<JavaClass> {
        private final Set<String> asked;

        HandlerCondition(Set<String> asked) {
            super("handle " + String.join(" and ", asked) + " idempotently, or say why not");
            this.asked = asked;
        }

        @Override
        public void check(JavaClass controller, ConditionEvents events) {
            for (HandlerMethodCheck handler : HandlerMethodCheck.of(controller)) {
                String wrong = handler.takesAny(asked) ? handler.whatIsWrong() : null;
                if (wrong != null) {
                    events.add(SimpleConditionEvent.violated(handler, wrong));
                }
            }
        }
    }
}
