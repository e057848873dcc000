package io.onefold.http;

import io.onefold.ShadowObserver;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request in shadow: it passes as if there were no Onefold, and the door tells what it sees of it. Nothing is held back, nothing is
 * refused, and a request that was seen in part is compared by as much as was seen. A door that cannot look lets it pass.
 */
public final class ShadowExchange implements RequestPlan {
    private final HttpContract contract;
    private final ProtectedExchange exchange;
    private final ProtectedOperation covered;
    private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
    private final CompletableFuture<HandlerResponse> end = new CompletableFuture<>();
    private long length;
    private boolean whole;
    private boolean begun;

    ShadowExchange(HttpContract contract, ProtectedExchange exchange, ProtectedOperation covered) {
        this.contract = contract;
        this.exchange = exchange;
        this.covered = covered;
    }

    /** Its name. */
    public String operation() {
        return covered.operation().name();
    }

    /**
     * A piece of the body passes.
     *
     * @return whether it is the last that was announced; many applications do not ask for more
     */
    public synchronized boolean read(byte[] bytes, int from, int count) {
        length += count;
        if (length <= covered.body().memory && !begun) {
            seen.write(bytes, from, count);
        }
        return length == exchange.spool().announced();
    }

    /** The body has passed to its end: computes what it stands for, and claims elsewhere. */
    public void readToEnd() {
        synchronized (this) {
            whole = true;
        }
        begin();
    }

    /** Returns true if no piece of the body was requested yet. */
    public synchronized boolean isUnread() {
        return length == 0 && !whole && !begun;
    }

    /** The body will not be looked at any further; what was seen of it by then counts. */
    public void begin() {
        byte[] body;
        synchronized (this) {
            if (begun) {
                return;
            }
            begun = true;
            body = body();
            seen.reset();
        }
        try (exchange) {
            if (length > covered.body().max) {
                throw exchange.spool().tooLarge();
            }
            var key = exchange.request(body);
            if (key != null) {
                ShadowObserver.observe(
                        contract.onefold(),
                        covered.operation(),
                        key,
                        false,
                        end.thenApply(produced -> ResponseClassifier.of(produced, covered.policy(), contract.now())));
            }
        } catch (ProblemException e) {
            contract.observedRefusal(covered, e.problem());
        } catch (RuntimeException | StackOverflowError e) {
            ShadowObserver.failed(operation(), e);
        }
    }

    /**
     * Null if it is not known: an application that answers before it has read all, or whose container reads for it. A large one is not
     * kept only to be looked at.
     */
    private byte @Nullable [] body() {
        long announced = exchange.spool().announced();
        boolean all = whole || length == announced || (announced < 0 && length > 0);
        return all && length <= covered.body().memory ? seen.toByteArray() : null;
    }

    /** See {@link ProtectedExchange#thrown}. */
    public HandlerResponse thrown(Throwable thrown, HandlerResponse said) {
        return exchange.thrown(thrown, said);
    }

    /** It was answered; bodies of answers are of no interest. */
    public void end(HandlerResponse produced) {
        begin();
        end.complete(produced);
    }
}
