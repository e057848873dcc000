package io.onefold.spring.message;

import io.onefold.servers.RabbitServer;
import io.onefold.spring.Idempotent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Transactional;

@Configuration(proxyBeanMethods = false)
@EnableRabbit
@Import(Application.class)
class RabbitApplication {
    /** The broker may be one that others use. */
    private static final String OWN = "onefold-" + UUID.randomUUID() + ".";

    static String queue(String name) {
        return OWN + name;
    }

    @Bean
    CachingConnectionFactory connections() {
        RabbitServer server = RabbitServer.shared();
        CachingConnectionFactory connections = new CachingConnectionFactory(server.host(), server.port());
        connections.setUsername(server.user());
        connections.setPassword(server.password());
        connections.setVirtualHost(server.virtualHost());
        return connections;
    }

    @Bean
    RabbitAdmin admin(ConnectionFactory connections) {
        return new RabbitAdmin(connections);
    }

    @Bean
    RabbitTemplate template(ConnectionFactory connections) {
        return new RabbitTemplate(connections);
    }

    /** The expressions of annotations find the names of queues here. */
    @Bean
    Queues queues(RabbitAdmin admin) {
        Queues queues = new Queues();
        queues.all().forEach(admin::declareQueue);
        return queues;
    }

    @Bean
    SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(ConnectionFactory connections, Log log) {
        SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
        factory.setConnectionFactory(connections);
        factory.setConcurrentConsumers(2);
        factory.setPrefetchCount(1);
        factory.setMessageConverter(new Orders());
        factory.setAdviceChain(log.advice(Message.class, Orders::text));
        factory.setMessageAckListener((success, tag, cause) -> log.acknowledged());
        return factory;
    }

    @Bean
    Listeners listeners(Log log) {
        return new Listeners(log);
    }

    @Bean
    Handlers handlers(Log log) {
        return new Handlers(log);
    }

    /** A class that listens: which of its methods is called, is up to the payload. */
    @RabbitListener(queues = "#{@queues.handled}")
    static class Handlers {
        private final Log log;

        Handlers(Log log) {
            this.log = log;
        }

        @RabbitHandler
        @Idempotent(operation = "handled")
        public void text(String payload) {
            log.run(payload);
        }

        @RabbitHandler(isDefault = true)
        public void other(Object payload) {
            throw new IllegalStateException("all are texts");
        }
    }

    static final class Queues {
        public final String leased = queue("leased");
        public final String joined = queue("joined");
        public final String handled = queue("handled");
        public final String slow = queue("slow");
        public final String oldByExpression = queue("old-by-expression");
        public final String oldByHeader = queue("old-by-header");

        List<Queue> all() {
            return Stream.of(leased, joined, handled, slow, oldByExpression, oldByHeader)
                    .map(name -> QueueBuilder.nonDurable(name).build())
                    .toList();
        }
    }

    static class Listeners {
        private final Log log;

        Listeners(Log log) {
            this.log = log;
        }

        @RabbitListener(queues = "#{@queues.leased}")
        @Idempotent(operation = "leased", waitFor = "100ms")
        public void leased(String payload) {
            log.run(payload);
        }

        @RabbitListener(queues = "#{@queues.joined}")
        @Idempotent(operation = "joined")
        @Transactional
        public void joined(String payload) {
            log.runWithEffect(payload);
        }

        @RabbitListener(queues = "#{@queues.slow}")
        @Idempotent(operation = "slow", header = "order", waitFor = "100ms", matching = "'any'")
        public void slow(Message message) throws InterruptedException {
            log.runBehindGate(Orders.text(message));
        }

        @RabbitListener(queues = "#{@queues.oldByExpression}")
        @io.onefold.spring.legacy.Idempotent(tokenExpression = "#message.orderId", expireTime = 600)
        public void handleOrderMessage(OrderMessage message) {
            log.run(message.orderId());
        }

        @RabbitListener(queues = "#{@queues.oldByHeader}")
        @io.onefold.spring.legacy.Idempotent(expireTime = 600)
        public void handleTokenMessage(String message) {
            log.run(message);
        }
    }

    record OrderMessage(String orderId) {}

    /** Text, or an order that is its text. */
    static final class Orders implements MessageConverter {
        static String text(Message message) {
            return new String(message.getBody(), StandardCharsets.UTF_8);
        }

        @Override
        public Message toMessage(Object object, MessageProperties properties) {
            return new Message(object.toString().getBytes(StandardCharsets.UTF_8), properties);
        }

        @Override
        public Object fromMessage(Message message) {
            return message.getMessageProperties().getInferredArgumentType() == OrderMessage.class
                    ? new OrderMessage(text(message))
                    : text(message);
        }
    }
}
