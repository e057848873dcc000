package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.servers.PostgresServer;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.Transactional;

/** Connections that the server ends when a joined call has nothing left to do but leave. */
class LostConnectionTest {
    private AnnotationConfigApplicationContext context;
    private Ledger ledger;
    private JdbcTemplate jdbc;
    private boolean cut;

    @BeforeEach
    void start() {
        PostgresServer server = PostgresServer.shared();
        DataSource database = server.dataSource(server.newDatabase());
        context = Context.on(database, Ledger.class);
        ledger = context.getBean(Ledger.class);
        jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("create table entry (id varchar(40))");
        context.getBean(DataSourceTransactionManager.class).addListener(new TransactionExecutionListener() {
            @Override
            public void beforeCommit(TransactionExecution transaction) {
                end();
            }

            @Override
            public void beforeRollback(TransactionExecution transaction) {
                end();
            }

            private void end() {
                if (cut) {
                    cut = false;
                    end(new JdbcTemplate(database), number(jdbc, "select pg_backend_pid()"));
                }
            }

            private void end(JdbcTemplate here, int session) {
                // as an administrator does, on a connection of its own
                Thread other = new Thread(() -> {
                    number(here, "select pg_terminate_backend(" + session + ")::int");
                    while (number(here, "select count(*) from pg_stat_activity where pid = " + session) > 0) {
                        Thread.onSpinWait();
                    }
                });
                other.start();
                try {
                    other.join();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
    }

    @AfterEach
    void stop() {
        context.close();
    }

    private static int number(JdbcTemplate jdbc, String query) {
        return Objects.requireNonNull(jdbc.queryForObject(query, Integer.class));
    }

    @Test
    void a_replay_is_told_though_its_transaction_could_not_be_ended() {
        ledger.post("a", false);
        cut = true;
        assertThat(ledger.post("a", false)).isEqualTo("posted a");
        assertThat(cut).isFalse();
        assertThat(number(jdbc, "select count(*) from entry")).isEqualTo(1);
    }

    @Test
    void what_the_method_has_thrown_is_told_though_its_transaction_could_not_be_rolled_back() {
        cut = true;
        assertThatThrownBy(() -> ledger.post("a", true)).hasMessage("refused");
        assertThat(cut).isFalse();
        assertThat(ledger.post("a", false)).isEqualTo("posted a");
        assertThat(number(jdbc, "select count(*) from entry")).isEqualTo(1);
    }

    static class Ledger {
        private final JdbcTemplate jdbc;

        Ledger(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional
        @Idempotent(operation = "post", key = "#id", matching = "''")
        public String post(String id, boolean refused) {
            jdbc.update("insert into entry values (?)", id);
            if (refused) {
                throw new IllegalStateException("refused");
            }
            return "posted " + id;
        }
    }
}
