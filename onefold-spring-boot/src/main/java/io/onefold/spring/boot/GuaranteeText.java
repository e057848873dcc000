package io.onefold.spring.boot;

import io.onefold.http.OperationCoverage;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.TransactionMode;
import java.util.ArrayList;
import java.util.List;

/** What is promised of an operation, in the words of the documentation, with all that its settings take away from it. */
final class GuaranteeText {
    /** Of what is run by the API: whether it joins a transaction is up to each call. */
    static final String BY_CALL = "as it is called";

    private static final String SHADOW = "shadow (observed only)";

    private GuaranteeText() {}

    static String of(IdempotentMethod method) {
        if (method.settings().isShadow()) {
            return SHADOW;
        }
        if (method.mode() == TransactionMode.JOINED) {
            return "joined (exactly one effect in the database)";
        }
        List<String> repeated = new ArrayList<>();
        method.retryOn().forEach(type -> repeated.add(type.getSimpleName()));
        return leased(
                OperationCoverage.promise(Boolean.TRUE.equals(method.settings().safeToRepeat()), repeated));
    }

    static String of(OperationCoverage coverage) {
        return coverage.shadow() ? SHADOW : leased(coverage.promise());
    }

    private static String leased(String promise) {
        return "leased (" + promise + ")";
    }
}
