package io.onefold.spring.boot;

import io.onefold.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.util.ClassUtils;

/** What is to be known of the application's data sources. */
final class DataSources {
    private static final boolean PROXIES = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy", DataSources.class.getClassLoader());

    private DataSources() {}

    /** One that hands out connections of its own: a claim must be committed whatever becomes of the caller's transaction. */
    static DataSource plain(DataSource source) {
        return PROXIES ? DataSourceProxies.plain(source) : source;
    }

    /** Whether the database is one in this process. */
    static boolean isEmbedded(DataSource source) {
        try (Connection connection = source.getConnection()) {
            String url = String.valueOf(connection.getMetaData().getURL()).toLowerCase(Locale.ROOT);
            return url.startsWith("jdbc:sqlite:")
                    || (url.startsWith("jdbc:h2:")
                            && !url.startsWith("jdbc:h2:tcp:")
                            && !url.startsWith("jdbc:h2:ssl:"));
        } catch (SQLException e) {
            throw new StoreException("the store could not be opened: " + e.getMessage(), e);
        }
    }

    private static final class DataSourceProxies {
        static DataSource plain(DataSource source) {
            return source instanceof TransactionAwareDataSourceProxy proxy
                    ? plain(Objects.requireNonNull(proxy.getTargetDataSource()))
                    : source;
        }
    }
}
