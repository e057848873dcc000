package io.onefold.spring;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes calls without changing anything: which of them would be duplicates, and which would be refused. Its records stand under
 * names of their own, so that they answer nobody when protection is switched on.
 */
final class Shadow {
    private static final Logger LOG = LoggerFactory.getLogger(Shadow.class);
    private static final String PREFIX = "shadow:";
    private static final int LONGEST = 93;

    private final Onefold onefold;

    Shadow(Onefold onefold) {
        this.onefold = onefold;
    }

    void observe(IdempotentMethod method, Key key) {
        String name = method.name().length() > LONGEST ? method.name().substring(0, LONGEST) : method.name();
        Duration keep = method.settings().keep();
        Operation<Void> plain = Operation.of(PREFIX + name);
        Operation<Void> observed = keep == null ? plain : plain.keepFor(keep);
        try {
            var unused = onefold.attemptAsync(observed, key, attempt -> CompletableFuture.completedFuture(null))
                    .whenComplete((outcome, thrown) -> report(method, outcome, thrown));
        } catch (RuntimeException e) {
            failed(method, e);
        }
    }

    private void report(IdempotentMethod method, @Nullable Outcome<Void> outcome, @Nullable Throwable thrown) {
        if (thrown != null) {
            failed(method, thrown);
        } else if (outcome instanceof Outcome.Conflict<Void> conflict) {
            LOG.warn(
                    "{}: a key was used for another request, which would be refused; it differs in {}",
                    method.name(),
                    conflict.fields());
        } else if (!(outcome instanceof Outcome.Executed<Void>)) {
            LOG.info("{}: a duplicate ran, which would get the first answer", method.name());
        }
    }

    void failed(IdempotentMethod method, Throwable thrown) {
        LOG.warn("{}: a call could not be observed", method.name(), thrown);
    }
}
