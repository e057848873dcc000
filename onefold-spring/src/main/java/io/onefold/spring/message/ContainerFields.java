package io.onefold.spring.message;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.DirectFieldAccessor;

/** Reads fields of Spring's containers, and of their parts, that have no getter in all versions. */
final class ContainerFields {
    private ContainerFields() {}

    static @Nullable Object get(Object owner, String field) {
        Object behind = AopProxyUtils.getSingletonTarget(owner);
        DirectFieldAccessor fields = new DirectFieldAccessor(behind == null ? owner : behind);
        if (!fields.isReadableProperty(field)) {
            throw new IllegalStateException(owner.getClass().getName() + " has no field " + field
                    + ", which Onefold needs for listeners: this version of the library is not supported");
        }
        return fields.getPropertyValue(field);
    }
}
