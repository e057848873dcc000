package io.onefold.test;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.Mergeable;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.test.web.servlet.SmartRequestBuilder;

/**
 * Requests to MockMvc. Its own {@code asyncDispatch} knows only requests that a handler has made asynchronous; one that waits for
 * another was made so by a filter, and is either completed by it, or dispatched when its turn has come.
 */
final class MockMvcCalls implements DuplicateCalls.CallRunner {
    private final MockMvc mvc;
    private final RequestBuilder request;

    MockMvcCalls(MockMvc mvc, RequestBuilder request) {
        this.mvc = Objects.requireNonNull(mvc, "mvc");
        this.request = Objects.requireNonNull(request, "request");
    }

    @Override
    public List<Callable<CallResult>> prepare(int times, Duration deadline, CallResultReader reading) {
        RequestPreparation preparation = new RequestPreparation(request);
        List<Callable<CallResult>> calls = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            MockHttpServletRequest prepared = prepared(preparation);
            calls.add(() -> send(prepared, reading.http()));
        }
        return calls;
    }

    /** Only MockMvc knows the defaults that go with a request, and merges them on its way to performing it. */
    private MockHttpServletRequest prepared(RequestPreparation preparation) {
        try {
            mvc.perform(preparation);
        } catch (PreparedException e) {
            return e.request;
        } catch (Exception e) {
            throw new IllegalStateException("the request could not be built", e);
        }
        throw new IllegalStateException("MockMvc has not asked for the request to be processed");
    }

    private CallResult send(MockHttpServletRequest prepared, HttpResultReader reading) throws Exception {
        MvcResult result = mvc.perform(context -> prepared).andReturn();
        while (prepared.isAsyncStarted() && dispatched(prepared)) {
            result = mvc.perform(again(prepared, result.getResponse())).andReturn();
        }
        MockHttpServletResponse response = result.getResponse();
        return reading.of(response.getStatus(), response::getHeader, response.getContentAsByteArray());
    }

    /** Waits for the first of two events: returns true for a dispatch, false for the response. */
    private static boolean dispatched(MockHttpServletRequest request) throws InterruptedException {
        CountDownLatch dispatched = new CountDownLatch(1);
        context(request).addDispatchHandler(dispatched::countDown);
        while (!dispatched.await(1, TimeUnit.MILLISECONDS)) {
            // asked for, because listeners of a mock must not be added while it may tell them
            if (!request.isAsyncStarted()) {
                VarHandle.acquireFence();
                return false;
            }
        }
        return true;
    }

    private static MockAsyncContext context(MockHttpServletRequest request) {
        return (MockAsyncContext) Objects.requireNonNull(request.getAsyncContext());
    }

    /**
     * Returns the dispatch of an asynchronous request. MockMvc dispatches to the response with which the request was
     * made asynchronous. But it forgets a response that was not named, and rejects one that does not lead to its own.
     */
    private static RequestBuilder again(MockHttpServletRequest request, MockHttpServletResponse response) {
        return context -> {
            ServletResponse named = context(request).getResponse();
            if (named == null) {
                request.setAsyncContext(new MockAsyncContext(request, response));
            } else if (named instanceof HttpServletResponse other) {
                request.setAsyncContext(new MockAsyncContext(request, new ForwardingResult(other, response)));
            }
            request.setDispatcherType(DispatcherType.ASYNC);
            request.setAsyncStarted(false);
            return request;
        };
    }

    /** Is one response, and leads to another. */
    private static final class ForwardingResult extends HttpServletResponseWrapper {
        private final MockHttpServletResponse to;

        ForwardingResult(HttpServletResponse is, MockHttpServletResponse to) {
            super(is);
            this.to = to;
        }

        @Override
        public ServletResponse getResponse() {
            return to;
        }
    }

    /** Goes as far as the request is ready, and no further. */
    private static final class RequestPreparation implements SmartRequestBuilder, Mergeable {
        private RequestBuilder builder;
        private boolean merged;

        RequestPreparation(RequestBuilder builder) {
            this.builder = builder;
        }

        @Override
        public boolean isMergeEnabled() {
            return true;
        }

        @Override
        public Object merge(@Nullable Object parent) {
            if (!merged && builder instanceof Mergeable mergeable) {
                builder = (RequestBuilder) mergeable.merge(parent);
                merged = true;
            }
            return this;
        }

        @Override
        public MockHttpServletRequest buildRequest(ServletContext context) {
            return builder.buildRequest(context);
        }

        @Override
        public MockHttpServletRequest postProcessRequest(MockHttpServletRequest request) {
            throw new PreparedException(
                    builder instanceof SmartRequestBuilder smart ? smart.postProcessRequest(request) : request);
        }
    }

    /** Not a failure. */
    private static final class PreparedException extends RuntimeException {
        private static final long serialVersionUID = 1;
        final transient MockHttpServletRequest request;

        PreparedException(MockHttpServletRequest request) {
            super(null, null, false, false);
            this.request = request;
        }
    }
}
