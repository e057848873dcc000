package io.onefold.spring.boot;

import io.onefold.http.PrincipalCallerResolver;

/** What tells callers apart, for the report at the start. */
interface CallersReport {
    String NOT_AT_ALL = "not told apart; whoever knows a key gets its answer";

    String words();

    static String authenticated(PrincipalCallerResolver callers, boolean security) {
        String aliases = callers.words();
        return "by issuer or registration and by name, as " + (security ? "Spring Security" : "the web server")
                + " says" + (aliases.isEmpty() ? "" : "; " + aliases);
    }

    /** Those of a bean of the application's, too. */
    static String of(Object callers) {
        return callers instanceof CallersReport told
                ? told.words()
                : "as the bean of " + callers.getClass().getName() + " says";
    }
}
