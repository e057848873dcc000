package io.onefold.jdbc;

import java.lang.reflect.Method;
import java.sql.SQLException;
import java.sql.Wrapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@code DataSource} and what it wraps, as far as that can be seen. */
final class DataSourceChain {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

    /** Spring's, and the one of dynamic-datasource. */
    private static final String ROUTING = "AbstractRoutingDataSource";

    private static final String ADVISED = "org.springframework.aop.framework.Advised";

    /** Spring's, too: each thread may be another user, or ask for another shard. */
    private static final Set<String> ADAPTERS =
            Set.of("UserCredentialsDataSourceAdapter", "ShardingKeyDataSourceAdapter");

    private static final List<String> GETTERS =
            List.of("getTargetDataSource", "getDataSource", "getDelegate", "getWrappedDataSource", "getRealDataSource");

    /** Pools, drivers and observers, whose connections are all of one database and one user. */
    private static final List<String> KNOWN = List.of(
            "com.zaxxer.hikari.",
            "org.apache.tomcat.",
            "org.apache.commons.dbcp2.",
            "com.mchange.v2.c3p0.",
            "com.alibaba.druid.pool.DruidDataSource",
            "com.alibaba.druid.spring.boot",
            "io.agroal.",
            "oracle.ucp.",
            "org.vibur.dbcp.",
            "org.jboss.jca.",
            "com.ibm.ws.",
            "weblogic.jdbc.",
            "org.postgresql.",
            "org.mariadb.jdbc.",
            "com.mysql.cj.",
            "org.h2.",
            "org.sqlite.",
            "software.amazon.jdbc.",
            "org.springframework.jdbc.datasource.",
            "org.springframework.boot.",
            "com.baomidou.dynamic.datasource.ds.ItemDataSource",
            "net.ttddyy.",
            "com.p6spy.",
            "io.opentelemetry.");

    private final DataSource source;
    private final List<Object> links = new ArrayList<>();

    private DataSourceChain(DataSource source) {
        this.source = source;
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Object link = source; link != null && seen.add(link); link = next(link)) {
            links.add(link);
        }
    }

    /** @throws RoutingDataSourceException if anything in it chooses the database by the thread */
    static DataSourceChain of(DataSource source) {
        DataSourceChain chain = new DataSourceChain(source);
        for (Object link : chain.links) {
            if (isA(link, ROUTING::equals)) {
                throw new RoutingDataSourceException(link.getClass().getName());
            }
        }
        return chain;
    }

    /** By the name of the class, or of one that it extends: they are of libraries that are not needed here. */
    private static boolean isA(Object link, Predicate<String> name) {
        Class<?> type = link.getClass();
        while (type != null && !name.test(type.getSimpleName())) {
            type = type.getSuperclass();
        }
        return type != null;
    }

    /** Returns the source that the store was given. */
    DataSource source() {
        return source;
    }

    /** Returns true if its connections are sure to be alike. An unknown class may choose connections in a way that cannot be seen. */
    boolean isKnown() {
        return unknown().isEmpty();
    }

    private Optional<String> unknown() {
        return links.stream()
                .filter(link -> !isKnown(link.getClass().getName()) || isA(link, ADAPTERS::contains))
                .map(link -> link.getClass().getName())
                .findFirst();
    }

    void warnUnlessKnown() {
        unknown()
                .ifPresent(name -> LOG.warn(
                        "{} may choose connections by the thread that asks. Each connection is checked whenever it is borrowed, which"
                                + " costs a round trip, and calls do not share trips. Give the store the pool behind it, or say"
                                + " batching(true) if all its connections lead to one schema of one database",
                        name));
    }

    /** A generated subclass has the package of what it stands before. */
    private static boolean isKnown(String name) {
        return !name.contains("$$") && KNOWN.stream().anyMatch(name::startsWith);
    }

    private static @Nullable Object next(Object link) {
        Object target = target(link);
        for (String getter : GETTERS) {
            target = target == null ? call(link, getter) : target;
        }
        if (target == null && link instanceof Wrapper wrapper) {
            target = unwrapped(wrapper);
        }
        return target instanceof DataSource ? target : null;
    }

    /** Returns the target of a Spring proxy. */
    private static @Nullable Object target(Object link) {
        for (Class<?> type : link.getClass().getInterfaces()) {
            if (type.getName().equals(ADVISED)) {
                Object source = call(link, type, "getTargetSource");
                return source == null ? null : call(source, "getTarget");
            }
        }
        return null;
    }

    private static @Nullable Object call(Object link, String getter) {
        return call(link, link.getClass(), getter);
    }

    private static @Nullable Object call(Object link, Class<?> type, String getter) {
        try {
            Method method = type.getMethod(getter);
            method.setAccessible(true);
            Object target = method.invoke(link);
            return target == link ? null : target;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            return null;
        }
    }

    private static @Nullable Object unwrapped(Wrapper wrapper) {
        try {
            DataSource target = wrapper.unwrap(DataSource.class);
            return target == wrapper ? null : target;
        } catch (SQLException | RuntimeException e) {
            return null;
        }
    }
}
