package io.onefold.spring.boot;

import io.onefold.spring.Idempotent;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.Mode;
import io.onefold.store.Store;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.transaction.interceptor.TransactionAttributeSource;

/** Finds methods whose records could have joined their transactions, and do not. */
final class JoinReport {
    private final Store store;
    private final IdempotentMethods methods;
    private final TransactionAttributeSource attributes;

    JoinReport(Store store, IdempotentMethods methods, TransactionAttributeSource attributes) {
        this.store = store;
        this.methods = methods;
        this.attributes = attributes;
    }

    List<String> apart() {
        List<String> apart = new ArrayList<>();
        if (store.joining() != null) {
            for (IdempotentMethod method : methods.all()) {
                if (method.mode() == Mode.LEASED
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
        return said == null || said.mode() == Mode.AUTO;
    }
}
