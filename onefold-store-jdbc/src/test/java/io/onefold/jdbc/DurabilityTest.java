package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Path;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** Whether a commit survives what it has to is said when a store is opened, if it does not. */
class DurabilityTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(JdbcStore.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @TempDir
    Path directory = Path.of("");

    @BeforeEach
    void listen() {
        logger.setLevel(Level.WARN);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void leave() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    @Test
    void h2_on_a_file_is_not_durable_unless_it_writes_without_delay() {
        assertThat(warnings(h2(""))).singleElement().asString().contains("NOT DURABLE", "WRITE_DELAY");
        assertThat(warnings(h2(";WRITE_DELAY=0"))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void sqlite_is_not_durable_unless_it_is_synchronous(SQLiteConfig.SynchronousMode mode) {
        SQLiteConfig config = new SQLiteConfig();
        config.setSynchronous(mode);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + directory.resolve("records.db"));
        List<String> warnings = warnings(source);
        if (mode == SQLiteConfig.SynchronousMode.FULL) {
            assertThat(warnings).isEmpty();
        } else {
            assertThat(warnings).singleElement().asString().contains("NOT DURABLE", "synchronous=");
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_databases_of_the_tests_are_not_complained_about(Database database) {
        assertThat(warnings(database.fresh())).isEmpty();
    }

    private DataSource h2(String options) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:file:" + directory.resolve("records") + options);
        return source;
    }

    private List<String> warnings(DataSource source) {
        lines.list.clear();
        JdbcStore.of(source);
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
