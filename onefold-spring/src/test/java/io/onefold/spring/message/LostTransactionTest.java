package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.servers.PostgresServer;
import io.onefold.spring.Idempotent;
import io.onefold.spring.ListenerSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.annotation.Transactional;

/** Joined listeners that take longer than the database lets a transaction idle: each run is undone, and comes to nothing. */
class LostTransactionTest {
    @Test
    void a_message_is_given_up_after_some_runs_that_lost_their_transaction() {
        try (AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(Containers.class, Listeners.class)) {
            Log log = context.getBean(Log.class);
            RabbitTemplate template = context.getBean(RabbitTemplate.class);
            template.send(
                    RabbitApplication.queue("idle"),
                    MessageBuilder.withBody("idle".getBytes(StandardCharsets.UTF_8))
                            .setHeader("Idempotency-Key", "k1")
                            .build());
            Map<String, Message> found = new HashMap<>();
            Log.await("it is a dead letter", () -> {
                Message letter = template.receive(RabbitApplication.queue("idle.parked"));
                if (letter != null) {
                    found.put("letter", letter);
                }
                return letter != null;
            });

            assertThat(Objects.requireNonNull(found.get("letter"))
                            .getMessageProperties()
                            .getHeaders())
                    .containsEntry("onefold-operation", "idle")
                    .containsEntry("onefold-key", "k1")
                    .containsEntry("onefold-reason", "transaction-lost")
                    .containsKey("onefold-exception-message");
            assertThat(log.runs("idle")).isEqualTo(2);
            assertThat(log.effects("idle")).isZero();
            context.getBean(RabbitListenerEndpointRegistry.class).stop();
            context.getBeansOfType(Queue.class)
                    .values()
                    .forEach(queue -> context.getBean(RabbitAdmin.class).deleteQueue(queue.getName()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(RabbitApplication.class)
    static class Containers {
        /** In the place of the one that has no such limit. */
        @Bean
        DataSource database() {
            PostgresServer server = PostgresServer.shared();
            DataSource source = server.dataSource(server.newDatabase());
            new JdbcTemplate(source).execute("create table effect(what varchar(100) not null)");
            return source;
        }

        @Bean
        ListenerSettings settings() {
            return ListenerSettings.DEFAULT
                    .lostLimit(2)
                    .unknownLimit(Duration.ZERO)
                    .parking(new ListenerSettings.ParkingTarget("", "{queue}.parked"));
        }

        @Bean
        Queue idle() {
            return QueueBuilder.nonDurable(RabbitApplication.queue("idle")).build();
        }

        @Bean
        Queue parked() {
            return QueueBuilder.nonDurable(RabbitApplication.queue("idle.parked"))
                    .build();
        }
    }

    static class Listeners {
        private final Log log;
        private final JdbcTemplate jdbc;
        private final DataSource database;

        Listeners(Log log, JdbcTemplate jdbc, DataSource database) {
            this.log = log;
            this.jdbc = jdbc;
            this.database = database;
        }

        @RabbitListener(queues = "#{@idle.name}")
        @Idempotent(operation = "idle", waitFor = "100ms")
        @Transactional
        public void idle(String payload) {
            jdbc.execute("set local idle_in_transaction_session_timeout = 50");
            log.runWithEffect(payload);
            Integer session = jdbc.queryForObject("select pg_backend_pid()", Integer.class);
            JdbcTemplate elsewhere = new JdbcTemplate(new UnboundDataSource(database));
            Log.await("the database has ended the session", () -> {
                Integer found = elsewhere.queryForObject(
                        "select count(*) from pg_stat_activity where pid = ?", Integer.class, session);
                return found != null && found == 0;
            });
        }
    }

    /** The same database, without the connection of the transaction that is under way. */
    private static final class UnboundDataSource extends DelegatingDataSource {
        UnboundDataSource(DataSource target) {
            super(target);
        }
    }
}
