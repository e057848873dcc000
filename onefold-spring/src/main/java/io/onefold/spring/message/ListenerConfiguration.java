package io.onefold.spring.message;

import io.onefold.spring.KeyHeader;
import io.onefold.spring.MessageResolver;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * The beans that {@code @Idempotent} needs on listeners of Kafka and RabbitMQ, if their libraries are present. Import it beside {@code
 * @EnableIdempotent}.
 */
@Configuration(proxyBeanMethods = false)
@Import(ListenerConfiguration.BrokerImports.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class ListenerConfiguration {
    @Bean
    MessageResolver onefoldMessages(ObjectProvider<KeyHeader> header, ConfigurableBeanFactory beans) {
        return new ListenerMessageResolver(header.getIfAvailable(() -> KeyHeader.DEFAULT), beans);
    }

    static final class BrokerImports implements ImportSelector {
        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            List<String> present = new ArrayList<>();
            if (isPresent("org.springframework.kafka.config.AbstractKafkaListenerContainerFactory")) {
                present.add(KafkaFactoryPostProcessor.class.getName());
            }
            if (isPresent("org.springframework.amqp.rabbit.config.BaseRabbitListenerContainerFactory")) {
                present.add(RabbitFactoryPostProcessor.class.getName());
            }
            return present.toArray(String[]::new);
        }

        private static boolean isPresent(String type) {
            return ClassUtils.isPresent(type, ListenerConfiguration.class.getClassLoader());
        }
    }
}
