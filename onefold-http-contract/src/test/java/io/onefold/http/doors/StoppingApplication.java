package io.onefold.http.doors;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.Onefold;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.contract.RunningAdapter;
import io.onefold.http.servlet.IdempotencyFilter;
import io.onefold.jdbc.JdbcStore;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Store;
import io.onefold.store.UpdateResult;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** An application with the filter in it, and its records in a file. At one step it says that it is there, and gets no further. */
final class StoppingApplication {
    /** Where it stops. */
    enum Step {
        BEFORE_THE_CLAIM,
        AFTER_THE_CLAIM,
        AT_WORK,
        BEFORE_THE_RECORD,
        AFTER_THE_RECORD,
        NEVER
    }

    /** Which container it runs in. */
    enum Kind {
        TOMCAT,
        JETTY
    }

    private StoppingApplication() {}

    /** In a process of its own, with kind, directory and step. */
    public static void main(String[] args) throws Exception {
        RunningAdapter door = open(Kind.valueOf(args[0]), Path.of(args[1]), Step.valueOf(args[2]));
        say("listens on " + door.port());
        new CountDownLatch(1).await();
    }

    static RunningAdapter open(Kind kind, Path directory, Step step) throws Exception {
        HttpPolicy policy = HttpPolicy.unchanged()
                .lease(Duration.ofSeconds(2), Duration.ofMinutes(1))
                .waitFor(Duration.ZERO);
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setBusyTimeout(20_000);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + directory.resolve("records.db"));
        Onefold onefold = Onefold.on(new Stopping(JdbcStore.of(source), step));
        HttpContract contract = HttpContract.builder(onefold).defaults(policy).build();
        return kind == Kind.TOMCAT
                ? TomcatTest.start(context -> deploy(context, contract, directory, step))
                : JettyTest.start(context -> deploy(context, contract, directory, step));
    }

    private static void deploy(ServletContext context, HttpContract contract, Path directory, Step step) {
        new IdempotencyFilter(contract, IdempotencyFilter.ANONYMOUS).addTo(context, "/*");
        ServletRegistration.Dynamic registered = context.addServlet("orders", new Orders(effects(directory), step));
        registered.setAsyncSupported(true);
        registered.addMapping("/");
    }

    /** A line for each time that the work was done. */
    static Path effects(Path directory) {
        return directory.resolve("effects");
    }

    private static void pass(Step at, Step step) {
        if (at == step) {
            say("stops " + step);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @SuppressWarnings("SystemOut") // read by who has started it
    private static void say(String line) {
        System.out.println(line);
    }

    private static final class Orders extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final transient Path effects;
        private final Step step;

        Orders(Path effects, Step step) {
            this.effects = effects;
            this.step = step;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            Files.writeString(effects, "done\n", UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            pass(Step.AT_WORK, step);
            response.setStatus(201);
            response.getWriter().print("done");
        }
    }

    private static final class Stopping extends ForwardingStore {
        private final Step step;

        Stopping(Store behind, Step step) {
            super(behind);
            this.step = step;
        }

        @Override
        public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
            pass(Step.BEFORE_THE_CLAIM, step);
            List<BatchItemResult<ClaimResult>> answers = super.claimAll(claims);
            pass(Step.AFTER_THE_CLAIM, step);
            return answers;
        }

        @Override
        public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
            if (updates.stream().allMatch(update -> update.change() instanceof Change.Renew)) {
                return super.updateAll(updates);
            }
            pass(Step.BEFORE_THE_RECORD, step);
            List<BatchItemResult<UpdateResult>> answers = super.updateAll(updates);
            pass(Step.AFTER_THE_RECORD, step);
            return answers;
        }
    }
}
