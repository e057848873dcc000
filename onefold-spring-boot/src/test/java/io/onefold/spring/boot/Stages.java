package io.onefold.spring.boot;

import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.RunningAdapter;
import io.onefold.http.contract.TestService;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The applications that cases are shown by. To start one takes longer than most cases, so those that ask for nothing but the defaults have
 * one in turn; what a case may have left something in is not used again.
 */
final class Stages implements AutoCloseable {
    private final Function<Stage, ConfigurableApplicationContext> start;
    private final Deque<Running> free = new ArrayDeque<>();

    Stages(Function<Stage, ConfigurableApplicationContext> start) {
        this.start = start;
    }

    RunningAdapter open(AdapterSetup setting, TestService business) {
        Running running = setting.isPlain() ? free.poll() : null;
        if (running == null) {
            Stage stage = new Stage(setting, business);
            return new Listening(new Running(stage, start.apply(stage)), this);
        }
        running.stage().show(setting, business);
        return new Listening(running, this);
    }

    private void giveBack(Running running) throws InterruptedException {
        if (running.stage().setting().isPlain() && !running.stage().isSpoilt()) {
            Until.holds(running.stage()::isQuiet);
            if (!running.stage().isSpoilt()) {
                free.push(running);
                return;
            }
        }
        running.context().close();
    }

    @Override
    public void close() {
        free.forEach(running -> running.context().close());
        free.clear();
    }

    private record Running(Stage stage, ConfigurableApplicationContext context) {}

    private record Listening(Running running, Stages stages) implements RunningAdapter {
        @Override
        public int port() {
            return running.context().getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        }

        @Override
        public void close() throws InterruptedException {
            stages.giveBack(running);
        }
    }
}
