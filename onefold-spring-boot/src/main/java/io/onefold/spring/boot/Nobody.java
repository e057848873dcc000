package io.onefold.spring.boot;

import io.onefold.http.Caller;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** Nobody can be told apart, and nothing says that this is right: fit only for applications whose requests bring no keys. */
final class Nobody implements ServletCallers {
    @Override
    public @Nullable Caller apply(HttpServletRequest request) {
        return null;
    }
}
