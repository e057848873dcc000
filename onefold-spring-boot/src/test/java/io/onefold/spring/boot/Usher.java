package io.onefold.spring.boot;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;

/** Stands before all other filters, and counts the requests until their end. */
record Usher(Stage stage) implements Filter {
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        stage.begins();
        Guest guest = new Guest((HttpServletRequest) request, stage);
        try {
            chain.doFilter(guest, response);
        } catch (IOException | ServletException | RuntimeException e) {
            stage.spoil();
            throw e;
        } finally {
            if (!guest.stays) {
                stage.ends();
            }
        }
    }

    /** Who begins something asynchronous is told of its end. */
    private static final class Guest extends HttpServletRequestWrapper {
        private final Stage stage;
        private volatile boolean stays;

        Guest(HttpServletRequest request, Stage stage) {
            super(request);
            this.stage = stage;
        }

        @Override
        public AsyncContext startAsync() {
            return until(super.startAsync());
        }

        @Override
        public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
            return until(super.startAsync(request, response));
        }

        private AsyncContext until(AsyncContext context) {
            if (!stays) { // the listener sees to it if it is begun once more
                stays = true;
                context.addListener(new End(stage));
            }
            return context;
        }
    }

    private record End(Stage stage) implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            stage.ends();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            stage.spoil();
        }

        @Override
        public void onError(AsyncEvent event) {
            stage.spoil();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
