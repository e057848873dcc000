package io.onefold.spring.boot;

import io.onefold.Operation;
import io.onefold.http.Route;
import io.onefold.spring.ForOperation;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.upkeep.OutcomeProbe;
import io.onefold.upkeep.Reconciler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The beans that find out about lost attempts, by their operations. What a handler would have returned is known to such a bean, and
 * what the filter would have sent is not: so the handlers of operations that have one claim for themselves.
 */
final class ProbeBeans {
    private static final Logger LOG = LoggerFactory.getLogger(ProbeBeans.class);

    private final ListableBeanFactory beans;
    private final Map<String, String> names;
    private final Set<String> awaited = ConcurrentHashMap.newKeySet();

    ProbeBeans(ListableBeanFactory beans) {
        this.beans = beans;
        this.names = names(beans);
    }

    /** The names of beans, by those of operations; no bean is made for it. */
    private static Map<String, String> names(ListableBeanFactory beans) {
        Map<String, String> names = new LinkedHashMap<>();
        for (String bean : beans.getBeanNamesForType(OutcomeProbe.class)) {
            ForOperation said = beans.findAnnotationOnBean(bean, ForOperation.class);
            String operation = said == null ? bean : said.value();
            String other = names.put(operation, bean);
            if (other != null) {
                throw new ContradictorySettingsException(
                        "the operation \"" + operation + "\" has two probes: the beans " + other + " and " + bean,
                        "One is allowed: remove the other, or say with @ForOperation which operation it is for.");
            }
        }
        return names;
    }

    /** Whether a probe is asked for the operation. */
    boolean isOf(String operation) {
        return names.containsKey(operation);
    }

    /** A probe tells what the handler would have returned, so that its handler has to be reached to render it. */
    Route claimedByHandler(Route route) {
        return route.isClaimedByFilter() && names.containsKey(String.valueOf(route.operation()))
                ? route.policy(route.policy().claimedByHandler())
                : route;
    }

    /**
     * Finds out which probe is for what.
     *
     * @return lets the reconciler ask them, and cannot fail
     * @throws ContradictorySettingsException if one is for nothing
     */
    Runnable registration(Reconciler reconciler, IdempotentMethodRegistry methods) {
        List<Runnable> all = new ArrayList<>();
        names.forEach((operation, bean) -> all.add(registration(reconciler, methods, operation, bean)));
        return () -> all.forEach(Runnable::run);
    }

    private Runnable registration(
            Reconciler reconciler, IdempotentMethodRegistry methods, String operation, String bean) {
        OutcomeProbe<?> probe = beans.getBean(bean, OutcomeProbe.class);
        for (IdempotentMethod method : methods.all()) {
            if (method.name().equals(operation)) {
                return () -> method.probe(reconciler, probe);
            }
        }
        for (Operation<?> known : beans.getBeansOfType(Operation.class).values()) {
            if (known.name().equals(operation)) {
                return () -> with(reconciler, known, probe);
            }
        }
        if (methods.replaced().contains(operation)) {
            return () -> {};
        }
        if (!methods.unseen().isEmpty()) {
            return () -> later(reconciler, methods, operation, probe);
        }
        TreeSet<String> all = new TreeSet<>();
        methods.all().forEach(method -> all.add(method.name()));
        throw new ContradictorySettingsException(
                "the probe " + bean + " is for the operation \"" + operation
                        + "\", which is neither that of an annotated method nor that of a bean of type Operation; there are "
                        + all,
                "Say which it is for with @ForOperation.");
    }

    /** It may be for a method of a bean that is not made yet. */
    private void later(
            Reconciler reconciler, IdempotentMethodRegistry methods, String operation, OutcomeProbe<?> probe) {
        if (awaited.add(operation)) {
            LOG.warn(
                    "the probe for \"{}\" is asked from the first call on of a method with that operation, which no bean has yet",
                    operation);
            Consumer<IdempotentMethod> found = method -> {
                if (method.name().equals(operation)) {
                    method.probe(reconciler, probe);
                }
            };
            methods.later(found);
            methods.all().forEach(found); // it may have been called meanwhile
        }
    }

    @SuppressWarnings("unchecked") // the application says that they belong together
    private static <T> void with(Reconciler reconciler, Operation<T> operation, OutcomeProbe<?> probe) {
        reconciler.probe(operation, (OutcomeProbe<T>) probe);
    }
}
