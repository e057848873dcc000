package io.onefold.spring.boot;

import java.beans.PropertyDescriptor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.ReflectionUtils;

/** Where the transactions of a manager are. */
final class ManagedDataSource {
    private ManagedDataSource() {}

    /** Of those for JDBC, JPA and Hibernate alike: they have the property, though no common type. Null if there is none. */
    static @Nullable DataSource source(PlatformTransactionManager manager) {
        PropertyDescriptor property = BeanUtils.getPropertyDescriptor(manager.getClass(), "dataSource");
        if (property == null || property.getReadMethod() == null) {
            return null;
        }
        Object source = ReflectionUtils.invokeMethod(property.getReadMethod(), manager);
        return source instanceof DataSource found ? found : null;
    }
}
