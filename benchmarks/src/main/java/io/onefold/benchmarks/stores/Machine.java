package io.onefold.benchmarks.stores;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;
import org.redisson.Redisson;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;
import org.springframework.integration.redis.metadata.RedisMetadataStore;

/** What is measured on, and with what. */
public final class Machine {
    private Machine() {}

    public static String describe() {
        return "machine: %d processors, %s %s, Java %s (%s), client and servers on it together"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.arch"),
                        System.getProperty("java.version"),
                        System.getProperty("java.vm.name"));
    }

    /** As the jars on the class path are called. */
    static String versions() {
        return "versions: "
                + Stream.of(
                                JdbcMetadataStore.class,
                                RedisMetadataStore.class,
                                JdbcMessageIdRepository.class,
                                DBOS.class,
                                JdbcTemplateLockProvider.class,
                                Redisson.class,
                                HikariDataSource.class,
                                redis.clients.jedis.RedisClient.class,
                                io.lettuce.core.RedisClient.class)
                        .map(Machine::jar)
                        .collect(Collectors.joining(", "));
    }

    /** As the jar that a class is from is called. */
    public static String jar(Class<?> type) {
        String location =
                type.getProtectionDomain().getCodeSource().getLocation().getPath();
        return location.substring(location.lastIndexOf('/') + 1).replace(".jar", "");
    }
}
