package io.onefold.spring.webflux;

import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Detects the principal of Spring Security for users who are not authenticated. */
final class AnonymousPrincipals {
    private static final String ANONYMOUS = "org.springframework.security.authentication.AnonymousAuthenticationToken";

    private AnonymousPrincipals() {}

    /** Compares by name: Spring Security may be absent. */
    static boolean is(Principal principal) {
        for (@Nullable Class<?> type = principal.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(ANONYMOUS)) {
                return true;
            }
        }
        return false;
    }
}
