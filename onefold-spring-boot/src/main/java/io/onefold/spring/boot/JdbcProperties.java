package io.onefold.spring.boot;

import io.onefold.jdbc.SchemaMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Records in a database.
 *
 * @param initializeSchema When missing tables are made.
 * @param tableName The table of records.
 * @param timeout How long a statement may take, in whole seconds.
 * @param batching Whether calls that come at once share a trip to the database. If nobody chooses: true for known pools, false for
 *     other classes of DataSource, which may choose their connections by the thread.
 */
record JdbcProperties(
        @DefaultValue("embedded") InitializeSchema initializeSchema,
        @DefaultValue("idempotent_record") String tableName,
        @DefaultValue("10s") Duration timeout,
        @Nullable Boolean batching) {

    JdbcProperties {
        PropertyLimits.atLeast("onefold.jdbc.timeout", Duration.ofSeconds(1), timeout);
    }

    /** When missing tables are made. */
    enum InitializeSchema {
        /** If the database is embedded: H2 or SQLite in this process. In others the tables must be there, and are checked. */
        EMBEDDED,
        /** Whenever they are missing. */
        ALWAYS,
        /** Never, and what is there is trusted. */
        NEVER,
        /** Never, and what is there is checked. */
        VALIDATE;

        /** Called only where the JDBC store is there. */
        SchemaMode schema(boolean embedded) {
            return switch (this) {
                case EMBEDDED -> embedded ? SchemaMode.CREATE : SchemaMode.VALIDATE;
                case ALWAYS -> SchemaMode.CREATE;
                case NEVER -> SchemaMode.NONE;
                case VALIDATE -> SchemaMode.VALIDATE;
            };
        }
    }
}
