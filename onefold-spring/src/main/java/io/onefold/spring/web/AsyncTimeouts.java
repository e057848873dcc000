package io.onefold.spring.web;

import jakarta.servlet.ServletRequest;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;

/** Detects Spring MVC's own timeouts of asynchronous handlers: they end the request, but not the work. */
final class AsyncTimeouts {
    private AsyncTimeouts() {}

    /**
     * Returns true if this dispatch renders a timeout in place of the handler's result. If the handler has responded to the timeout itself,
     * with a value or a callback for it, it has a result, which came first.
     */
    static boolean isOver(ServletRequest request) {
        return request.getAttribute(WebAsyncUtils.WEB_ASYNC_MANAGER_ATTRIBUTE) instanceof WebAsyncManager manager
                && manager.hasConcurrentResult()
                && manager.getConcurrentResult() instanceof AsyncRequestTimeoutException;
    }
}
