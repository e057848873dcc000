package io.onefold.spring.web;

import io.onefold.Attempt;
import io.onefold.http.Caller;
import io.onefold.http.Head;
import io.onefold.http.RequestFingerprint;
import io.onefold.http.servlet.IdempotencyFilter;
import io.onefold.http.servlet.ServletHead;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethods;
import jakarta.servlet.http.HttpServletRequest;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdvice;

/**
 * Takes the fingerprints of requests whose handlers claim for themselves, while Spring MVC reads their bodies. Where it is not a bean, such
 * handlers are compared by the state of their arguments instead. Before other advice, which may change what was sent.
 */
@ControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class RequestBodyFingerprints implements RequestBodyAdvice {
    private static final String TAKEN = RequestFingerprint.class.getName();
    private static final int BUFFER = 8192;

    private final IdempotentMethods methods;
    private final Function<Head, RequestFingerprint> prints;

    /** @param prints those of the contract; {@link RequestFingerprint#standard} where there is none */
    public RequestBodyFingerprints(IdempotentMethods methods, Function<Head, RequestFingerprint> prints) {
        this.methods = methods;
        this.prints = prints;
    }

    @Override
    public boolean supports(MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter) {
        Method handler = parameter.getMethod();
        IdempotentMethod method = handler == null || parameter.hasParameterAnnotation(RequestPart.class)
                ? null
                : methods.of(handler, parameter.getContainingClass());
        return method != null && method.comparesBody() && isLeft(method);
    }

    /** Whether the filter has left the request to its handler. */
    private static boolean isLeft(IdempotentMethod method) {
        ServletRequestAttributes current = current();
        if (current == null) {
            return false;
        }
        HttpServletRequest request = current.getRequest();
        String operation = request.getAttribute(Attempt.class.getName()) instanceof Attempt attempt
                ? attempt.operation()
                : (String) request.getAttribute(IdempotencyFilter.OBSERVED);
        return !method.name().equals(operation);
    }

    private static @Nullable ServletRequestAttributes current() {
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes
                ? attributes
                : null;
    }

    @Override
    public HttpInputMessage beforeBodyRead(
            HttpInputMessage input,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converter)
            throws IOException {
        RequestFingerprint print = begin();
        return print == null ? input : new CopiedMessage(input.getHeaders(), new CopiedBody(input.getBody(), print));
    }

    private @Nullable RequestFingerprint begin() {
        ServletRequestAttributes current = current();
        if (current == null) {
            return null;
        }
        HttpServletRequest request = current.getRequest();
        RequestFingerprint print = prints.apply(new ServletHead(request, any -> Caller.ANONYMOUS));
        request.setAttribute(TAKEN, print);
        // what cannot be converted is never at its end
        current.registerDestructionCallback(TAKEN, print::close, RequestAttributes.SCOPE_REQUEST);
        return print;
    }

    @Override
    public Object afterBodyRead(
            Object body,
            HttpInputMessage input,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converter) {
        if (input instanceof CopiedMessage copied) {
            try {
                copied.body.readRest();
            } catch (IOException e) {
                throw new HttpMessageNotReadableException("The body ended too early", e, input);
            }
        }
        return body;
    }

    @Override
    public @Nullable Object handleEmptyBody(
            @Nullable Object body,
            HttpInputMessage input,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converter) {
        RequestFingerprint print = begin();
        if (print != null) {
            print.end();
        }
        return body;
    }

    private record CopiedMessage(HttpHeaders headers, CopiedBody body) implements HttpInputMessage {
        @Override
        public InputStream getBody() {
            return body;
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }
    }

    /** A body that goes into the fingerprint as it is read. */
    private static final class CopiedBody extends FilterInputStream {
        private final RequestFingerprint print;

        CopiedBody(InputStream body, RequestFingerprint print) {
            super(body);
            this.print = print;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int n = super.read(bytes, from, length);
            if (n > 0) {
                print.write(bytes, from, n);
            }
            return n;
        }

        /** By reading: what is skipped counts as well. */
        @Override
        public long skip(long count) throws IOException {
            byte[] skipped = new byte[(int) Math.min(Math.max(count, 0), BUFFER)];
            return Math.max(read(skipped, 0, skipped.length), 0);
        }

        @Override
        public boolean markSupported() {
            return false;
        }

        /** The rest behind what a converter needs is still to be read. */
        @Override
        public void close() {}

        void readRest() throws IOException {
            byte[] buffer = new byte[BUFFER];
            int n = super.read(buffer, 0, buffer.length);
            while (n >= 0 && print.write(buffer, 0, n)) {
                n = super.read(buffer, 0, buffer.length);
            }
            print.end();
        }
    }
}
