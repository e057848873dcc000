package io.onefold.spring.boot;

import io.onefold.jdbc.JdbcStore;

/** Changes how the store in the application's database is made, after the properties. All beans of this type are called, in their order. */
@FunctionalInterface
public interface JdbcStoreCustomizer {
    void customize(JdbcStore.Builder builder);
}
