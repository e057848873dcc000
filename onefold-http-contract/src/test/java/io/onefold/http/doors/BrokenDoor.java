package io.onefold.http.doors;

import io.onefold.Onefold;
import io.onefold.http.Caller;
import io.onefold.http.contract.Business;
import io.onefold.http.contract.Setting;
import io.onefold.http.servlet.IdempotencyFilter;
import io.onefold.store.Seen;
import io.onefold.store.StoredRecord;
import io.onefold.store.StoredRecord.Prints;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Doors as others have built them, each with one bug. */
enum BrokenDoor {
    /** What the application says goes to the client at once, and whether that is still there decides what becomes of the request. */
    HANGING_UP_ENDS_THE_REQUEST {
        @Override
        void deploy(ServletContext context, Setting setting, Business business) {
            ServletDoor.add(context, "remembering", new Remembering());
            super.deploy(context, setting, business);
            ServletDoor.add(context, "eager", new Eager());
        }
    },
    /** A replay is always 200. */
    A_REPLAY_IS_ALWAYS_200 {
        @Override
        void deploy(ServletContext context, Setting setting, Business business) {
            ServletDoor.add(context, "flattening", new Flattening());
            super.deploy(context, setting, business);
        }
    },
    /** A key belongs to nobody. */
    KEYS_OF_ALL_ARE_ONE {
        @Override
        IdempotencyFilter filter(Setting setting) {
            return new IdempotencyFilter(setting.contract(Onefold.on(setting.store())), request -> Caller.ANONYMOUS);
        }
    },
    /** Who comes second is told that something is broken. */
    A_LOST_RACE_IS_AN_ERROR {
        @Override
        IdempotencyFilter filter(Setting setting) {
            return ServletDoor.filter(setting, Onefold.on(new MetStore(setting.store(), met -> {
                throw new IllegalStateException("the key is taken");
            })));
        }
    },
    /** While a request is under way, nobody looks at what its key was used for. */
    BUSY_BEFORE_REUSED {
        @Override
        IdempotencyFilter filter(Setting setting) {
            return ServletDoor.filter(setting, Onefold.on(new MetStore(setting.store(), BrokenDoor::unprinted)));
        }
    };

    void deploy(ServletContext context, Setting setting, Business business) {
        ServletDoor.add(context, "security", new Security(business));
        ServletDoor.add(context, "onefold", filter(setting));
        ServletDoor.add(context, business);
    }

    IdempotencyFilter filter(Setting setting) {
        return ServletDoor.filter(setting, Onefold.on(setting.store()));
    }

    private static Seen unprinted(Seen met) {
        StoredRecord record = met.record();
        Prints none = new Prints(null, null, List.of());
        return new Seen(
                new StoredRecord(
                        record.id(),
                        record.status(),
                        record.owner(),
                        record.fence(),
                        record.attempts(),
                        record.times(),
                        none,
                        record.payload(),
                        record.checkpoint(),
                        record.bizId()),
                met.now());
    }

    /** Keeps the way to the client at hand. */
    private static final class Remembering extends HttpFilter {
        private static final long serialVersionUID = 1;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            request.setAttribute("client", response);
            chain.doFilter(request, response);
        }
    }

    /** Says everything to the client at once, past what would hold it back. */
    private static final class Eager extends HttpFilter {
        private static final long serialVersionUID = 1;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            HttpServletResponse client = (HttpServletResponse) request.getAttribute("client");
            chain.doFilter(request, new HttpServletResponseWrapper(response) {
                @Override
                public ServletOutputStream getOutputStream() throws IOException {
                    return client.getOutputStream();
                }

                @Override
                public void flushBuffer() throws IOException {
                    client.flushBuffer();
                }
            });
        }
    }

    /** Forgets what the first answer was. */
    private static final class Flattening extends HttpFilter {
        private static final long serialVersionUID = 1;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(request, new HttpServletResponseWrapper(response) {
                @Override
                public void addHeader(String name, @Nullable String value) {
                    super.addHeader(name, value);
                    if (name.equalsIgnoreCase("Idempotent-Replayed")) {
                        super.setStatus(200);
                    }
                }
            });
        }
    }
}
