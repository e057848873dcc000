package io.onefold.spring.boot;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onefold.jackson2.Jackson2Codec;
import io.onefold.payload.Codec;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The same with Jackson 2, where there is no other codec. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({Jackson2Codec.class, ObjectMapper.class})
class Jackson2Configuration {
    @Bean
    @ConditionalOnMissingBean
    Codec onefoldCodec() {
        return Jackson2Codec.standard();
    }
}
