package io.onefold.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process that runs one execution, says where it is, and waits at one point until it is told to go on: or is killed there. When
 * its parent is gone, so is it.
 */
final class FaultWorker {
    private static final BufferedReader IN = new BufferedReader(new InputStreamReader(System.in, UTF_8));

    private final Point waitsAt;
    private boolean waited;

    private FaultWorker(Point waitsAt) {
        this.waitsAt = waitsAt;
    }

    /** Joined or leased, the point to wait at, the key, the lease in milliseconds, the file of effects, and the database. */
    public static void main(String[] args) throws IOException {
        FaultWorker worker = new FaultWorker(Point.valueOf(args[1]));
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(args[5]);
        config.setUsername(args[6]);
        config.setPassword(args[7]);
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Onefold onefold = Onefold.on(new PointedStore(JdbcStore.of(pool), worker::reached));
            Operation<String> pay = Pay.leased(Duration.ofMillis(Long.parseLong(args[3])));
            worker.reached(Point.BEFORE_CLAIM);
            worker.say("outcome " + worker.run(onefold, pay, args[0], args[2], Path.of(args[4])));
        } catch (Exception e) {
            worker.say("outcome " + e);
        }
        System.exit(0);
    }

    private Outcome<String> run(Onefold onefold, Operation<String> pay, String mode, String key, Path file)
            throws Exception {
        if (mode.equals("leased")) {
            return onefold.attempt(pay, Key.of(key), attempt -> {
                begun(attempt);
                Pay.abroad(file, key, "worker's");
                reached(Point.WORKING);
                return "worker's";
            });
        }
        return onefold.attemptInTransaction(pay, Key.of(key), (attempt, connection) -> {
            begun(attempt);
            Pay.inLedger(connection, key, "worker's");
            reached(Point.WORKING);
            return "worker's";
        });
    }

    private void begun(Attempt attempt) {
        say("fence " + attempt.fence());
        reached(Point.CLAIMED);
    }

    private void reached(Point point) {
        if (point != waitsAt || waited) {
            return;
        }
        waited = true;
        say("at " + point);
        try {
            if (IN.readLine() == null) {
                Runtime.getRuntime().halt(1);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
