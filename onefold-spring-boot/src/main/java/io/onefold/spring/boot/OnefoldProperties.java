package io.onefold.spring.boot;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What {@code onefold.*} says.
 *
 * @param enabled Whether methods and requests are made safe to repeat.
 * @param mode Whether duplicates are kept from running, or only reported.
 * @param store Where records are kept.
 * @param jdbc Records in a database.
 * @param redis Records in Redis.
 * @param tokens Tokens that are issued to users for one request each.
 * @param defaults How all operations behave, unless they say otherwise themselves.
 * @param operations How operations behave, by their names.
 * @param http Requests that are safe to repeat.
 * @param clients Calls to others, made while an operation runs.
 * @param listeners Messages that are not settled.
 * @param upkeep What goes on beside the calls.
 */
@ConfigurationProperties("onefold")
record OnefoldProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("enforce") Enforcement mode,
        @DefaultValue("auto") StoreKind store,
        @NestedConfigurationProperty @DefaultValue JdbcProperties jdbc,
        @NestedConfigurationProperty @DefaultValue RedisProperties redis,
        @NestedConfigurationProperty @DefaultValue TokenProperties tokens,
        @NestedConfigurationProperty @DefaultValue OperationProperties defaults,
        @DefaultValue Map<String, OperationProperties> operations,
        @NestedConfigurationProperty @DefaultValue HttpProperties http,
        @NestedConfigurationProperty @DefaultValue ClientProperties clients,
        @NestedConfigurationProperty @DefaultValue ListenerProperties listeners,
        @NestedConfigurationProperty @DefaultValue MaintenanceProperties upkeep) {

    /** What is done about duplicates. */
    enum Enforcement {
        /** They get the first answer, or are refused. */
        ENFORCE,
        /** They run as if nothing protected them, and are reported. */
        SHADOW
    }

    /** Where records are kept. */
    enum StoreKind {
        /** In the application's database, behind Redis if there is one; without a database, in memory. */
        AUTO,
        /** In the application's database. */
        JDBC,
        /** In Redis. */
        REDIS,
        /** In this process: they end with it. */
        MEMORY
    }
}
