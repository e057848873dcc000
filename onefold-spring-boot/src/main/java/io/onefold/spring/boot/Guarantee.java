package io.onefold.spring.boot;

import io.onefold.http.Coverage;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.Mode;
import java.util.ArrayList;
import java.util.List;

/** What is promised of an operation, in the words of the documentation, with all that its settings take away from it. */
final class Guarantee {
    /** Of what is run by the API: whether it joins a transaction is up to each call. */
    static final String BY_CALL = "as it is called";

    private static final String SHADOW = "shadow (observed only)";

    private Guarantee() {}

    static String of(IdempotentMethod method) {
        if (method.settings().isShadow()) {
            return SHADOW;
        }
        if (method.mode() == Mode.JOINED) {
            return "joined (exactly one effect in the database)";
        }
        List<String> repeated = new ArrayList<>();
        method.retryOn().forEach(type -> repeated.add(type.getSimpleName()));
        return leased(Boolean.TRUE.equals(method.settings().safeToRepeat()), repeated, false);
    }

    static String of(Coverage coverage) {
        return coverage.shadow() ? SHADOW : leased(coverage.safeToRepeat(), coverage.repeated(), coverage.open());
    }

    private static String leased(boolean safeToRepeat, List<String> repeated, boolean open) {
        StringBuilder text = new StringBuilder("leased (")
                .append(
                        safeToRepeat
                                ? "at least once; one effect only if the callee recognises the child key"
                                : "at most once");
        if (!safeToRepeat && !repeated.isEmpty()) {
            text.append("; again after ").append(String.join(" or ", repeated));
        }
        return text.append(open ? "; unprotected while the store cannot be reached" : "")
                .append(')')
                .toString();
    }
}
