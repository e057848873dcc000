package io.onefold.spring.webflux;

import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Whom Spring Security makes of those who have not said who they are. */
final class Nobody {
    private static final String ANONYMOUS = "org.springframework.security.authentication.AnonymousAuthenticationToken";

    private Nobody() {}

    /** By its name: Spring Security need not be there. */
    static boolean is(Principal principal) {
        for (@Nullable Class<?> type = principal.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(ANONYMOUS)) {
                return true;
            }
        }
        return false;
    }
}
