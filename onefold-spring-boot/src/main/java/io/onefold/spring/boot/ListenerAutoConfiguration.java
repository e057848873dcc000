package io.onefold.spring.boot;

import io.onefold.spring.ListenerSettings;
import io.onefold.spring.MessageResolver;
import io.onefold.spring.message.ListenerConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Listeners of Kafka and RabbitMQ, whichever is there. */
@AutoConfiguration(after = OnefoldAutoConfiguration.class)
@ConditionalOnOnefold
@ConditionalOnMissingBean(MessageResolver.class)
@Import(ListenerConfiguration.class)
class ListenerAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    static ListenerSettings onefoldListenerSettings(OnefoldProperties properties) {
        return properties.listeners().settings();
    }
}
