package io.onefold.http.servlet;

import io.onefold.http.HandlerResponse;
import io.onefold.http.HeaderField;
import io.onefold.http.OuterExceptions;
import io.onefold.http.ShadowExchange;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that passes while it is looked at. The response is the container's own: nothing of it is held. */
final class ShadowServletExchange implements AsyncListener {
    private final ShadowExchange observation;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final OuterExceptions outer;
    private volatile boolean asked;
    private volatile boolean later;
    private volatile boolean late;
    private volatile @Nullable Throwable thrown;

    ShadowServletExchange(
            ShadowExchange observation,
            HttpServletRequest request,
            HttpServletResponse response,
            OuterExceptions outer) {
        this.observation = observation;
        this.request = request;
        this.response = response;
        this.outer = outer;
    }

    void pass(FilterChain chain) throws IOException, ServletException {
        request.setAttribute(IdempotencyFilter.OBSERVED, observation.operation());
        try {
            chain.doFilter(new ShadowServletRequest(request, this), response);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            thrown = e instanceof ServletException wrapped && wrapped.getRootCause() != null
                    ? wrapped.getRootCause()
                    : e;
            throw e;
        } finally {
            returned();
        }
    }

    /** While the request is still this thread's. */
    private void returned() {
        if (asked && FormParameters.is(request) && observation.isUnread()) {
            form();
        }
        observation.begin();
        if (!later || thrown != null) {
            end();
        }
    }

    /** The container has read it, as parameters. */
    private void form() {
        byte[] form;
        try {
            form = FormParameters.written(request);
        } catch (RuntimeException e) {
            return; // it could not, and has told the application so
        }
        observation.read(form, 0, form.length);
        observation.readToEnd();
    }

    ShadowExchange observation() {
        return observation;
    }

    /** The application has asked for parameters: then its container has read the body if it is a form, and else nobody may. */
    void asked() {
        asked = true;
    }

    /** It goes on after the application has returned. */
    void started() {
        later = true;
    }

    private void end() {
        List<HeaderField> said = response.getHeaders("Onefold-Outcome").stream()
                .map(value -> new HeaderField("Onefold-Outcome", value))
                .toList();
        int status = thrown == null ? response.getStatus() : 500;
        HandlerResponse produced = HandlerResponse.of(status, said, new byte[0]);
        if (late) {
            produced = HandlerResponse.unknown(status, said, new byte[0]);
        } else if (Boolean.FALSE.equals(request.getAttribute(IdempotencyFilter.BEGUN))) {
            produced = HandlerResponse.notBegun(status, said, new byte[0]);
        } else if (thrown != null) {
            produced = observation.thrown(
                    thrown, outer.find(thrown) == null ? produced : HandlerResponse.unknown(status, said, new byte[0]));
        }
        observation.end(produced);
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        late = true;
    }

    @Override
    public void onError(AsyncEvent event) {
        thrown = event.getThrowable();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
