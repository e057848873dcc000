package io.onefold.http.doors;

import io.onefold.Onefold;
import io.onefold.http.Caller;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.TestService;
import io.onefold.http.servlet.IdempotencyFilter;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.ForwardingStore;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.store.StoredRecord.RecordFingerprints;
import io.onefold.store.UpdateResult;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Doors as others have built them, each with one bug. */
enum BrokenDoor {
    /** What the application says goes to the client at once, and whether that is still there decides what becomes of the request. */
    HANGING_UP_ENDS_THE_REQUEST {
        @Override
        void deploy(ServletContext context, AdapterSetup setting, TestService business) {
            ServletDoor.add(context, "remembering", new Remembering());
            super.deploy(context, setting, business);
            ServletDoor.add(context, "eager", new Eager());
        }
    },
    /** What a client that has left would have heard is not recorded. */
    HANGING_UP_LOSES_THE_RECORD {
        @Override
        void deploy(ServletContext context, AdapterSetup setting, TestService business) {
            AtomicBoolean gone = new AtomicBoolean();
            ServletDoor.add(context, "remembering", new Remembering());
            ServletDoor.add(context, "security", new Security(business));
            ServletDoor.add(
                    context,
                    "onefold",
                    ServletDoor.filter(setting, Onefold.on(new CancelledStore(setting.store(), gone))));
            ServletDoor.add(context, "watching", new Watching(gone));
            ServletDoor.add(context, business);
        }
    },
    /** A replay is always 200. */
    A_REPLAY_IS_ALWAYS_200 {
        @Override
        void deploy(ServletContext context, AdapterSetup setting, TestService business) {
            ServletDoor.add(context, "flattening", new Flattening());
            super.deploy(context, setting, business);
        }
    },
    /** A replay does not say where the thing is that was made. */
    A_REPLAY_LACKS_ITS_LOCATION {
        @Override
        void deploy(ServletContext context, AdapterSetup setting, TestService business) {
            ServletDoor.add(context, "dropping", new Dropping());
            super.deploy(context, setting, business);
        }
    },
    /** Whatever is asked for under a route is the same. */
    PATHS_ARE_NOT_COMPARED {
        @Override
        void deploy(ServletContext context, AdapterSetup setting, TestService business) {
            ServletDoor.add(context, "levelling", new Levelling());
            super.deploy(context, setting, business);
        }
    },
    /** A key of one tenant's user is that of another's, if they have one name. */
    TENANTS_ARE_ONE {
        @Override
        IdempotencyFilter filter(AdapterSetup setting) {
            return new IdempotencyFilter(
                    setting.contract(Onefold.on(setting.store())),
                    request -> setting.caller(request.getHeader(AdapterSetup.USER), null));
        }
    },
    /** A key belongs to nobody. */
    KEYS_OF_ALL_ARE_ONE {
        @Override
        IdempotencyFilter filter(AdapterSetup setting) {
            return new IdempotencyFilter(setting.contract(Onefold.on(setting.store())), request -> Caller.ANONYMOUS);
        }
    },
    /** Who comes second is told that something is broken. */
    A_LOST_RACE_IS_AN_ERROR {
        @Override
        IdempotencyFilter filter(AdapterSetup setting) {
            return ServletDoor.filter(setting, Onefold.on(new MetStore(setting.store(), met -> {
                throw new IllegalStateException("the key is taken");
            })));
        }
    },
    /** Who comes second looks for the first again and again, and never sees it. */
    A_LOST_RACE_HAS_NO_END {
        @Override
        IdempotencyFilter filter(AdapterSetup setting) {
            return ServletDoor.filter(setting, Onefold.on(new MetStore(setting.store(), met -> {
                // as good as for ever, for who asks here
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
                while (System.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
                    LockSupport.parkNanos(1_000_000);
                }
                throw new IllegalStateException("the key is taken");
            })));
        }
    },
    /** While a request is under way, nobody looks at what its key was used for. */
    BUSY_BEFORE_REUSED {
        @Override
        IdempotencyFilter filter(AdapterSetup setting) {
            return ServletDoor.filter(setting, Onefold.on(new MetStore(setting.store(), BrokenDoor::unprinted)));
        }
    };

    void deploy(ServletContext context, AdapterSetup setting, TestService business) {
        ServletDoor.add(context, "security", new Security(business));
        ServletDoor.add(context, "onefold", filter(setting));
        ServletDoor.add(context, business);
    }

    IdempotencyFilter filter(AdapterSetup setting) {
        return ServletDoor.filter(setting, Onefold.on(setting.store()));
    }

    private static RecordSnapshot unprinted(RecordSnapshot met) {
        StoredRecord record = met.record();
        RecordFingerprints none = new RecordFingerprints(null, null, List.of());
        return new RecordSnapshot(
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

    /** Looks whether the client is still there when the application has answered. */
    private static final class Watching extends HttpFilter {
        private static final long serialVersionUID = 1;

        private final AtomicBoolean gone;

        Watching(AtomicBoolean gone) {
            this.gone = gone;
        }

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(request, response);
            try {
                // in Jetty, an answer before the answer
                ((HttpServletResponse) request.getAttribute("client")).sendError(102);
            } catch (IOException e) {
                gone.set(true);
            }
        }
    }

    /** Takes what nobody waits for any more for what was never done. */
    private static final class CancelledStore extends ForwardingStore {
        private final AtomicBoolean gone;

        CancelledStore(Store behind, AtomicBoolean gone) {
            super(behind);
            this.gone = gone;
        }

        @Override
        public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
            return behind.updateAll(updates.stream()
                    .map(update -> gone.get() && update.change() instanceof Change.Complete complete
                            ? new RecordUpdate(update.ticket(), new Change.Release(complete.keep(), true))
                            : update)
                    .toList());
        }
    }

    /** Knows whose second answer it is, and leaves a header out. */
    private static final class Dropping extends HttpFilter {
        private static final long serialVersionUID = 1;

        private final Set<String> seen = ConcurrentHashMap.newKeySet();

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            boolean first = seen.add(request.getHeader("Idempotency-Key"));
            chain.doFilter(request, new HttpServletResponseWrapper(response) {
                @Override
                public void addHeader(String name, @Nullable String value) {
                    if (first || !name.equalsIgnoreCase("Location")) {
                        super.addHeader(name, value);
                    }
                }
            });
        }
    }

    /** All numbers in a path are one. */
    private static final class Levelling extends HttpFilter {
        private static final long serialVersionUID = 1;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(
                    new HttpServletRequestWrapper(request) {
                        @Override
                        public String getServletPath() {
                            return super.getServletPath().replaceAll("[0-9]+", "0");
                        }
                    },
                    response);
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
