package io.onefold.spring.boot;

import io.onefold.http.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Says whose request it is, null for nobody's: a bean of this type takes the place of {@code onefold.http.principal}. */
@FunctionalInterface
public interface ServletCallerResolver extends Function<HttpServletRequest, @Nullable Caller> {}
