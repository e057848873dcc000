package io.onefold.spring;

import org.jspecify.annotations.Nullable;

/**
 * One call of a method.
 *
 * @param request null if it is not part of an HTTP request
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record MethodCall(
        IdempotentMethod method, @Nullable Object[] arguments, RequestResolver.@Nullable HandlerRequest request) {}
