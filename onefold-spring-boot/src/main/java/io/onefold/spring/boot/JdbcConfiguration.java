package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.jdbc.JdbcStore;
import io.onefold.jdbc.RecordTable;
import io.onefold.jdbc.RoutingDataSourceException;
import io.onefold.spring.boot.OnefoldProperties.StoreKind;
import io.onefold.store.Store;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Records in the application's database. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({JdbcStore.class, DataSource.class})
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnMissingBean({Store.class, Onefold.class})
@ConditionalOnStore({StoreKind.AUTO, StoreKind.JDBC})
class JdbcConfiguration {
    /** There may be another store before it, which is then the primary one. */
    static final String STORE = "onefoldJdbcStore";

    @Bean(STORE)
    @DependsOnDatabaseInitialization
    JdbcStore onefoldJdbcStore(
            DataSource source, OnefoldProperties properties, ObjectProvider<JdbcStoreCustomizer> customizers) {
        DataSource plain = DataSources.plain(source);
        JdbcProperties jdbc = properties.jdbc();
        JdbcStore.Builder builder =
                builder(plain).table(table(jdbc.tableName())).timeout(jdbc.timeout());
        if (jdbc.batching() != null) {
            builder.batching(jdbc.batching());
        }
        return UnusableStoreException.unlessOpen(() -> {
            builder.schema(jdbc.initializeSchema().schema(DataSources.isEmbedded(plain)));
            customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
            return builder.build();
        });
    }

    private static JdbcStore.Builder builder(DataSource source) {
        try {
            return JdbcStore.builder(source);
        } catch (RoutingDataSourceException e) {
            throw new ContradictorySettingsException(
                    "Onefold's store cannot use this DataSource: " + e.getMessage(),
                    "Define a bean of type JdbcStore on the DataSource of one database that has the records of all tenants, and make"
                            + " the tenant part of the keys' scope; or one of type Onefold for each tenant, on that tenant's DataSource."
                            + " To keep records elsewhere, set onefold.store=redis.");
        }
    }

    private static RecordTable table(String name) {
        try {
            return RecordTable.named(name);
        } catch (IllegalArgumentException e) {
            throw new ContradictorySettingsException(
                    "onefold.jdbc.table-name: " + e.getMessage(), "Name the table of records otherwise.");
        }
    }
}
