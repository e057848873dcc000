package io.onefold.spring.web;

import jakarta.servlet.ServletRequest;
import org.springframework.web.context.request.async.AsyncRequestTimeoutException;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;

/** Spring MVC's own timeouts of asynchronous handlers: they end the request, and not the work. */
final class AsyncTimeouts {
    private AsyncTimeouts() {}

    /**
     * Whether this dispatch renders a timeout in place of a result of the handler's. A handler that has answered the timeout itself, by a
     * value or a callback for it, has a result, and that came first.
     */
    static boolean isOver(ServletRequest request) {
        return request.getAttribute(WebAsyncUtils.WEB_ASYNC_MANAGER_ATTRIBUTE) instanceof WebAsyncManager manager
                && manager.hasConcurrentResult()
                && manager.getConcurrentResult() instanceof AsyncRequestTimeoutException;
    }
}
