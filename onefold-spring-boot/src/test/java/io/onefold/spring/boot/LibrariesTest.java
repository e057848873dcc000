package io.onefold.spring.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;

/** What is optional may be missing: each time on a class path that really does not have it. */
class LibrariesTest {
    private static final List<String> SETTINGS = List.of(
            "--server.port=0",
            "--spring.datasource.generate-unique-name=true",
            "--onefold.http.principal=anonymous",
            Running.WITHOUT_TOMCAT); // which knows one class path in a process

    @ParameterizedTest
    @ValueSource(
            strings = {
                "actuator|boot-health|micrometer-core",
                "webflux|reactor|webclient",
                "data-redis|lettuce|onefold-store-redis",
                "databind-2|onefold-jackson2",
                "spring-security|boot-security|feign|restclient"
            })
    void a_servlet_application_starts_without(String libraries) throws Exception {
        start(Shop.class, libraries);
    }

    @Test
    void a_reactive_application_starts_without_servlets() throws Exception {
        start(ReactiveShop.class, "webmvc|tomcat|jetty|servlet", "--spring.main.web-application-type=reactive");
    }

    @Test
    void a_store_is_opened_without_what_initializes_databases() throws Exception {
        start(
                Stored.class,
                "boot-sql|boot-jdbc|boot-transaction|hibernate|jpa",
                "--spring.main.web-application-type=none");
    }

    private static void start(Class<?> application, String without, String... more) throws Exception {
        Pattern missing = Pattern.compile(without);
        List<String> settings = new ArrayList<>(SETTINGS);
        settings.addAll(List.of(more));
        Elsewhere.start(application, path -> !missing.matcher(path.toString()).find(), settings);
    }

    @Application
    static class Stored {
        @Bean
        DataSource database() {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:stored;DB_CLOSE_DELAY=-1");
            return source;
        }
    }
}
