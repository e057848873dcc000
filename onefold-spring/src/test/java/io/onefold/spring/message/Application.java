package io.onefold.spring.message;

import io.onefold.Onefold;
import io.onefold.jdbc.JdbcStore;
import io.onefold.spring.EnableIdempotent;
import io.onefold.spring.SpringTransactionSupport;
import io.onefold.store.Store;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** What applications with listeners have in common: a database with the records and a table of effects. */
@Configuration(proxyBeanMethods = false)
@EnableIdempotent
@EnableTransactionManagement
@Import(ListenerConfiguration.class)
class Application {
    @Bean
    DataSource database() {
        DataSource pool =
                JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        new JdbcTemplate(pool).execute("create table effect(what varchar(100) not null)");
        return pool;
    }

    @Bean
    JdbcStore store(DataSource database) {
        return JdbcStore.of(database);
    }

    @Bean
    Onefold onefold(Store store) {
        return Onefold.on(store);
    }

    @Bean
    JdbcTemplate jdbc(DataSource database) {
        return new JdbcTemplate(database);
    }

    @Bean
    DataSourceTransactionManager transactions(DataSource database) {
        return new DataSourceTransactionManager(database);
    }

    @Bean
    SpringTransactionSupport joined(PlatformTransactionManager manager, DataSource database) {
        return new SpringTransactionSupport(manager, database, new AnnotationTransactionAttributeSource(), Set.of(""));
    }

    @Bean
    Log log(JdbcTemplate jdbc) {
        return new Log(jdbc);
    }
}
