package io.onefold.spring;

import org.jspecify.annotations.Nullable;

/**
 * A call as it came.
 *
 * @param request null if it is not part of an HTTP request
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Call(IdempotentMethod method, @Nullable Object[] arguments, Requests.@Nullable Request request) {}
