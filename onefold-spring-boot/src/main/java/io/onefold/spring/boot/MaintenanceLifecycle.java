package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.OperationSettingsRegistry;
import io.onefold.upkeep.Maintenance;
import io.onefold.upkeep.Reconciler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Starts upkeep last and stops it first, while everything that probes may ask is there. */
final class MaintenanceLifecycle implements SmartLifecycle, Refreshable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Onefold onefold;
    private final Reconciler reconciler;
    private final ProbeBeans probes;
    private final IdempotentMethodRegistry methods;
    private @Nullable Maintenance running;

    MaintenanceLifecycle(Onefold onefold, Reconciler reconciler, ProbeBeans probes, IdempotentMethodRegistry methods) {
        this.onefold = onefold;
        this.reconciler = reconciler;
        this.probes = probes;
        this.methods = methods;
    }

    @Override
    public synchronized void start() {
        if (running == null) {
            probes.registration(reconciler, methods).run();
            running = Maintenance.start(onefold.store(), reconciler);
        }
    }

    /** What it was asked at the start, it is asked again when the policies of the methods have changed. */
    @Override
    public Runnable prepare(OperationSettingsRegistry candidate, IdempotentMethodRegistry checked) {
        return probes.registration(reconciler, methods);
    }

    /** Beside others of its phase. What is under way is interrupted after a few seconds, for the web server drains only afterwards. */
    @Override
    public void stop(Runnable stopped) {
        Thread stopping = new Thread(
                () -> {
                    try {
                        stop();
                    } finally {
                        stopped.run();
                    }
                },
                "onefold-upkeep-stop");
        stopping.setDaemon(true);
        stopping.start();
    }

    @Override
    public void stop() {
        Maintenance closing;
        synchronized (this) {
            closing = running;
            running = null;
        }
        if (closing != null) {
            closing.close(PATIENCE);
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return running != null;
    }
}
