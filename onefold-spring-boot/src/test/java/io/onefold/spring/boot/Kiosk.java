package io.onefold.spring.boot;

import io.onefold.spring.Idempotent;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.AutoConfigurationImportSelector;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * An application that has nothing but what the starter configures, and what that looks for. It does not start unless its first
 * customer, who comes twice, is served once.
 */
@Configuration(proxyBeanMethods = false)
@Import({Kiosk.Starter.class, Kiosk.Counter.class, Kiosk.Customer.class})
class Kiosk {
    static class Counter {
        private final AtomicInteger sold = new AtomicInteger();

        @Idempotent(operation = "sell", key = "#customer")
        public String sell(String customer) {
            return customer + " " + sold.incrementAndGet();
        }
    }

    record Customer(Counter counter) implements ApplicationRunner {
        @Override
        public void run(ApplicationArguments arguments) {
            counter.sell("first");
            String again = counter.sell("first");
            if (!again.equals("first 1")) {
                throw new IllegalStateException("the second time it was " + again);
            }
        }
    }

    /**
     * What is found on the class path as always, but for the configurations of others: of these, applications without web have the ones
     * of databases, and other applications none.
     */
    static class Starter extends AutoConfigurationImportSelector {
        private static final Set<String> LOOKED_FOR = Set.of(
                "DataRedisAutoConfiguration",
                "RedisAutoConfiguration", // of Spring Boot 3
                "DataSourceAutoConfiguration",
                "DataSourceTransactionManagerAutoConfiguration");

        @Override
        protected AnnotationAttributes getAttributes(AnnotationMetadata metadata) {
            return new AnnotationAttributes();
        }

        @Override
        protected List<String> getCandidateConfigurations(
                AnnotationMetadata metadata, @Nullable AnnotationAttributes attributes) {
            boolean stored = getEnvironment()
                    .getProperty("spring.main.web-application-type", "")
                    .equals("none");
            return super.getCandidateConfigurations(metadata, attributes).stream()
                    .filter(name -> name.startsWith("io.onefold.")
                            || (stored && LOOKED_FOR.contains(ClassUtils.getShortName(name))))
                    .toList();
        }

        @Override
        protected Set<String> getExclusions(AnnotationMetadata metadata, @Nullable AnnotationAttributes attributes) {
            return Set.of();
        }
    }
}
