package io.onefold.spring.boot;

import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestTemplate;

class ClientTest extends ClientCases {
    @Override
    RestTemplate template(ApplicationContext context) {
        return context.getBean(RestTemplateBuilder.class).build();
    }

    @Override
    ApplicationContextRunner withInterceptor(
            ApplicationContextRunner runner, ClientHttpRequestInterceptor interceptor) {
        return runner.withBean(RestClientCustomizer.class, () -> builder -> builder.requestInterceptor(interceptor));
    }

    @Override
    boolean takesSeveralDecorators() {
        return true;
    }
}
