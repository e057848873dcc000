package io.onefold.spring.boot;

import io.onefold.Tokens;
import io.onefold.jdbc.JdbcStore;
import io.onefold.jdbc.JdbcTokens;
import io.onefold.jdbc.RecordTable;
import io.onefold.spring.boot.OnefoldProperties.StoreKind;
import io.onefold.store.Store;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Records in the application's database. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({JdbcStore.class, DataSource.class})
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnMissingBean(Store.class)
@ConditionalOnStore({StoreKind.AUTO, StoreKind.JDBC})
class JdbcConfiguration {
    /** There may be another store before it, which is then the primary one. */
    static final String STORE = "onefoldJdbcStore";

    @Bean(STORE)
    @DependsOnDatabaseInitialization
    JdbcStore onefoldJdbcStore(DataSource source, OnefoldProperties properties) {
        DataSource plain = Sources.plain(source);
        JdbcProperties jdbc = properties.jdbc();
        JdbcStore.Builder builder = JdbcStore.builder(plain)
                .table(RecordTable.named(jdbc.tableName()))
                .timeout(jdbc.timeout());
        return UnusableStoreException.unlessOpen(
                () -> builder.schema(jdbc.initializeSchema().schema(Sources.isEmbedded(plain)))
                        .build());
    }

    @Bean
    @ConditionalOnMissingBean(Tokens.class)
    @ConditionalOnProperty("onefold.tokens.enabled")
    @DependsOnDatabaseInitialization
    JdbcTokens onefoldTokens(DataSource source, OnefoldProperties properties) {
        return JdbcTokens.on(Sources.plain(source), properties.tokens().life());
    }
}
