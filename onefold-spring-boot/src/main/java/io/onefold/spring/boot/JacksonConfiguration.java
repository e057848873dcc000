package io.onefold.spring.boot;

import io.onefold.jackson.JacksonCodec;
import io.onefold.payload.Codec;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Results of any type that Jackson can map. Its settings are pinned: the application's mapper may change. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({JacksonCodec.class, JsonMapper.class})
class JacksonConfiguration {
    @Bean
    @ConditionalOnMissingBean
    Codec onefoldCodec() {
        return JacksonCodec.standard();
    }
}
