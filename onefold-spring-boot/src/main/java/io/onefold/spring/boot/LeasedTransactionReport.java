package io.onefold.spring.boot;

import io.onefold.spring.Idempotent;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.TransactionMode;
import io.onefold.store.Store;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/** Finds methods whose records could have joined their transactions, and do not. */
final class LeasedTransactionReport {
    private final Store store;
    private final IdempotentMethodRegistry methods;
    private final TransactionAttributeSource attributes;

    LeasedTransactionReport(Store store, IdempotentMethodRegistry methods, TransactionAttributeSource attributes) {
        this.store = store;
        this.methods = methods;
        this.attributes = attributes;
    }

    List<String> apart() {
        List<String> apart = new ArrayList<>();
        if (store.joining() != null) {
            for (IdempotentMethod method : methods.all()) {
                if (method.mode() == TransactionMode.LEASED
                        && isUndecided(method)
                        && attributes.getTransactionAttribute(method.method(), method.type()) != null) {
                    apart.add(method.name() + ": " + method);
                }
            }
        }
        return apart;
    }

    private static boolean isUndecided(IdempotentMethod method) {
        Idempotent said = AnnotatedElementUtils.findMergedAnnotation(method.method(), Idempotent.class);
        return said == null || said.mode() == TransactionMode.AUTO;
    }
}
