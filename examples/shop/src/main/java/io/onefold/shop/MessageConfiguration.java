package io.onefold.shop;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.support.converter.JacksonJsonMessageConverter;
import org.springframework.kafka.support.converter.RecordMessageConverter;
import tools.jackson.databind.json.JsonMapper;

/** Messages are JSON. */
@Configuration(proxyBeanMethods = false)
class MessageConfiguration {
    @Bean
    RecordMessageConverter messages(JsonMapper json) {
        return new JacksonJsonMessageConverter(json);
    }
}
