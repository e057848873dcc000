package io.onefold.spring.boot;

import io.onefold.spring.Policies;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Puts into effect what the environment says of operations now, for calls and requests from now on: {@code onefold.mode},
 * {@code onefold.defaults} and {@code onefold.operations}. Where Spring Cloud tells of a changed environment, it is called by itself.
 */
public final class PolicyRefresher implements ApplicationListener<ApplicationEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyRefresher.class);
    private static final String CHANGED = "org.springframework.cloud.context.environment.EnvironmentChangeEvent";

    private final Environment environment;
    private final Policies policies;
    private final ObjectProvider<Refreshed> others;

    PolicyRefresher(Environment environment, Policies policies, ObjectProvider<Refreshed> others) {
        this.environment = environment;
        this.policies = policies;
        this.others = others;
    }

    /**
     * Reads the environment.
     *
     * @throws RuntimeException if what it says cannot be read: then nothing has changed
     */
    public synchronized void refresh() {
        Configured now = Configured.in(environment);
        policies.replace(now.all(), now.byOperation());
        others.orderedStream().forEach(Refreshed::refresh);
        LOG.info(
                "Policies are as configured now, for {} operations by name",
                now.byOperation().size());
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        // by its name: Spring Cloud is not needed for anything else
        if (event.getClass().getName().equals(CHANGED)) {
            refresh();
        }
    }
}
