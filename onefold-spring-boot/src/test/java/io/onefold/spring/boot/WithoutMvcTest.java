package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The filter stands before any servlet: here there is no Spring MVC at work, and nothing that it could ask for handlers. */
class WithoutMvcTest {
    @Test
    void a_plain_servlet_runs_once_and_its_answer_comes_again() throws Exception {
        try (Running running = Running.start(Plain.class, "--onefold.http.cover=all", "--onefold.store=memory")) {
            assertThat(running.post("/anything", "k", "{}").body()).isEqualTo("1");
            var again = running.post("/anything", "k", "{}");
            assertThat(again.body()).isEqualTo("1");
            assertThat(again.headers().firstValue("Idempotent-Replayed")).contains("true");
            assertThat(running.post("/anything", "other", "{}").body()).isEqualTo("2");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        OnefoldAutoConfiguration.class,
        RequestAutoConfiguration.class,
        HttpContractAutoConfiguration.class,
        ServletFilterAutoConfiguration.class
    })
    static class Plain {
        @Bean
        JettyServletWebServerFactory server() {
            return new JettyServletWebServerFactory(0);
        }

        @Bean
        ServletRegistrationBean<Counter> counter() {
            return new ServletRegistrationBean<>(new Counter(), "/");
        }
    }

    private static final class Counter extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final transient AtomicInteger calls = new AtomicInteger();

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(calls.incrementAndGet());
        }
    }
}
