package io.onefold.benchmarks.stores;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import io.onefold.benchmarks.stores.Traits.Feature;
import io.onefold.benchmarks.stores.Traits.Kind;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** DBOS Transact: a workflow without steps, the key as its id. It runs on threads and, since it keeps some, a pool of its own. */
final class Dbos implements Subject {
    private final Traits traits;
    private final DBOS dbos;
    private final Task task;
    private final Execution workflow;

    Dbos(DataSource ownPool, String suffix) {
        this.traits = new Traits(
                "DBOS Transact" + suffix,
                Kind.STORES_RESULT,
                Set.of(Workload.FIRST, Workload.REPLAY, Workload.MIX, Workload.HOT),
                Feature.RESULT);
        dbos = new DBOS(DBOSConfig.defaults("bench").withDataSource(ownPool).withAppVersion("1"));
        task = new Task();
        workflow = dbos.registerProxy(Execution.class, task);
        dbos.launch();
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public @Nullable String call(String key, Business business) {
        task.slices.putIfAbsent(business.slice(), business);
        return dbos.startWorkflow(() -> workflow.execute(key, business.slice()), new StartWorkflowOptions(key))
                .getResult();
    }

    @Override
    public void close() {
        dbos.close();
    }

    /** What DBOS calls must be public, and be told by values what to do. */
    public interface Execution {
        String execute(String key, String slice);
    }

    static final class Task implements Execution {
        private final Map<String, Business> slices = new ConcurrentHashMap<>();

        @Override
        @Workflow(name = "execute")
        public String execute(String key, String slice) {
            Business business = slices.get(slice);
            if (business == null) {
                throw new IllegalStateException("no slice " + slice);
            }
            return business.run(key);
        }
    }
}
