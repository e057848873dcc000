package io.onefold.spring.boot;

import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.OperationSettingsRegistry;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Puts into effect what the environment says of operations now, for calls and requests from now on: {@code onefold.mode},
 * {@code onefold.defaults}, {@code onefold.operations} and {@code idempotent.*}. Where Spring Cloud tells of a changed environment, it is called by itself.
 */
public final class SettingsRefresher implements ApplicationListener<ApplicationEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(SettingsRefresher.class);
    private static final String CHANGED = "org.springframework.cloud.context.environment.EnvironmentChangeEvent";

    private final Environment environment;
    private final OperationSettingsRegistry policies;
    private final IdempotentMethodRegistry methods;
    private final SettingsCheck check;
    private final ObjectProvider<Refreshable> others;

    SettingsRefresher(
            Environment environment,
            OperationSettingsRegistry policies,
            IdempotentMethodRegistry methods,
            SettingsCheck check,
            ObjectProvider<Refreshable> others) {
        this.environment = environment;
        this.policies = policies;
        this.methods = methods;
        this.check = check;
        this.others = others;
    }

    /**
     * Reads the environment.
     *
     * @throws RuntimeException if what it says cannot be read, or contradicts itself or a method: then nothing has changed
     */
    public synchronized void refresh() {
        ConfiguredSettings now = ConfiguredSettings.in(environment);
        check.check(now);
        OperationSettingsRegistry candidate = now.policies();
        IdempotentMethodRegistry checked = methods.with(candidate);
        List<Runnable> prepared = new ArrayList<>();
        others.orderedStream().forEach(other -> prepared.add(other.prepare(candidate, checked)));
        // from here on nothing can fail, and nobody is waited for. Who claims for a request does not depend on
        // policies, so that each
        // is handled by one of the two, the old contract or the new policies
        policies.replace(candidate);
        prepared.forEach(Runnable::run);
        LOG.info(
                "Policies are as configured now, for {} operations by name",
                now.byOperation().size());
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        // by its name: Spring Cloud is not needed for anything else
        if (event.getClass().getName().equals(CHANGED)) {
            refreshOrStay();
        }
    }

    /** Whoever changed the environment is not to be stopped by what it says of operations. */
    void refreshOrStay() {
        try {
            refresh();
        } catch (RuntimeException e) {
            LOG.error("Policies stay as they were, because they cannot be as configured now", e);
        }
    }
}
