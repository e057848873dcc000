package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.SpringTransactionSupport;
import io.onefold.store.StoreTransactions;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/** Records in the transactions of the application, if those are in the store's database. */
@AutoConfiguration(
        after = OnefoldAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
            // of Spring Boot 3
            "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
            "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration"
        })
@ConditionalOnClass({DataSourceUtils.class, PlatformTransactionManager.class})
@ConditionalOnOnefold
@ConditionalOnBean(PlatformTransactionManager.class)
class TransactionSupportAutoConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionSupportAutoConfiguration.class);

    /** Null if no transactions, or those of several managers, are in the store's database. */
    @Bean
    @ConditionalOnMissingBean
    @Nullable
    SpringTransactionSupport onefoldTransactions(
            Onefold onefold, ListableBeanFactory beans, ObjectProvider<TransactionAttributeSource> attributes) {
        StoreTransactions joining = onefold.store().joining();
        if (joining == null) {
            return null;
        }
        Map<String, PlatformTransactionManager> managers = beans.getBeansOfType(PlatformTransactionManager.class);
        Map<String, DataSource> fitting = fitting(managers, source -> DatabaseComparison.isOn(joining, source));
        if (fitting.isEmpty()) {
            // the application's own store, say, on another way to the same database
            fitting = fitting(managers, source -> DatabaseComparison.isSame(joining, source));
        }
        if (fitting.size() != 1) {
            LOG.info(
                    "Records cannot join the application's transactions: {} of its transaction managers {} work on the store's"
                            + " DataSource",
                    fitting.size(),
                    managers.keySet());
            return null;
        }
        String name = fitting.keySet().iterator().next();
        DataSource plain = Objects.requireNonNull(fitting.get(name));
        return new SpringTransactionSupport(
                Objects.requireNonNull(managers.get(name)),
                plain,
                attributes.getIfAvailable(AnnotationTransactionAttributeSource::new),
                names(name, managers.size() == 1, beans));
    }

    private static Map<String, DataSource> fitting(
            Map<String, PlatformTransactionManager> managers, Predicate<DataSource> test) {
        Map<String, DataSource> fitting = new LinkedHashMap<>();
        managers.forEach((name, manager) -> {
            DataSource managed = ManagedDataSource.source(manager);
            DataSource plain = managed == null ? null : DataSources.plain(managed);
            if (plain != null && test.test(plain)) {
                fitting.put(name, plain);
            }
        });
        return fitting;
    }

    /** By which {@code @Transactional} asks for the manager: none at all, if it is the only one or the primary one. */
    private static Set<String> names(String name, boolean only, ListableBeanFactory beans) {
        Set<String> names = new LinkedHashSet<>(List.of(beans.getAliases(name)));
        names.add(name);
        PlatformTransactionManager usual =
                beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
        if (only || usual == beans.getBean(name)) {
            names.add("");
        }
        return names;
    }

    @Bean
    @ConditionalOnMissingBean
    LeasedTransactionReport onefoldJoinReport(
            Onefold onefold, IdempotentMethodRegistry methods, ObjectProvider<TransactionAttributeSource> attributes) {
        return new LeasedTransactionReport(
                onefold.store(), methods, attributes.getIfAvailable(AnnotationTransactionAttributeSource::new));
    }
}
