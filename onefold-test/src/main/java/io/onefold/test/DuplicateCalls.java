package io.onefold.test;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.RequestBuilder;

/**
 * The same call several times, at once or one after the other, and the result of each.
 *
 * <pre>{@code
 * DuplicateCalls.of(mockMvc, post("/orders").header("Idempotency-Key", key).content(order))
 *         .times(5).concurrently()
 *         .ranOnce().replayed(4).sameAnswer();
 * }</pre>
 *
 * Responses of the HTTP contract say whether their call ran or was replayed. So do outcomes and exceptions of Onefold.
 * {@link #counting} checks it by a count, whatever they say.
 */
public final class DuplicateCalls {
    private final CallRunner calls;
    private final int times;
    private final Duration deadline;
    private final @Nullable IntSupplier counter;
    private final CallResultReader reading;

    private DuplicateCalls(
            CallRunner calls, int times, Duration deadline, @Nullable IntSupplier counter, CallResultReader reading) {
        this.calls = calls;
        this.times = times;
        this.deadline = deadline;
        this.counter = counter;
        this.reading = reading;
    }

    private static DuplicateCalls of(CallRunner calls) {
        return new DuplicateCalls(
                calls,
                2,
                Duration.ofSeconds(10),
                null,
                new CallResultReader(new HttpResultReader(HttpResultReader.MARKER)));
    }

    /**
     * Repeats any call. It may return an {@code Outcome}, an HTTP response ({@code HttpResponse},
     * {@code ResponseEntity}), or anything else. Anything else does not say who ran, unless executions are
     * {@link #counting counted}. Stages are waited for.
     */
    public static DuplicateCalls of(Callable<?> call) {
        Objects.requireNonNull(call, "call");
        return of((times, deadline, reading) -> Collections.nCopies(times, () -> reply(call, reading)));
    }

    /**
     * Repeats a request to {@code MockMvc}, with all that its defaults add to it. It is built once for each call on the
     * calling thread, so all calls have the user of the test's thread. Asynchronous requests are dispatched until they
     * have a response.
     */
    public static DuplicateCalls of(MockMvc mvc, RequestBuilder request) {
        return of(new MockMvcCalls(mvc, request));
    }

    /** A request to {@code WebTestClient}: {@code client -> client.post().uri("/orders").header(...)}. It is built once for each. */
    public static DuplicateCalls of(
            WebTestClient client, Function<WebTestClient, ? extends WebTestClient.RequestHeadersSpec<?>> request) {
        return of(new WebTestClientCalls(client, request));
    }

    /** Sets the total number of calls; the default is 2. */
    public DuplicateCalls times(int calls) {
        if (calls < 1) {
            throw new IllegalArgumentException("times must be at least 1, not " + calls);
        }
        return new DuplicateCalls(this.calls, calls, deadline, counter, reading);
    }

    /** Sets the time that all calls may take together; the default is 10 s. */
    public DuplicateCalls within(Duration deadline) {
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("within must be positive, not " + deadline);
        }
        return new DuplicateCalls(calls, times, deadline, counter, reading);
    }

    /** Sets the header that marks a replayed response, if the contract has another than {@code Idempotent-Replayed}. */
    public DuplicateCalls replayMarker(String header) {
        Objects.requireNonNull(header, "header");
        return new DuplicateCalls(calls, times, deadline, counter, new CallResultReader(new HttpResultReader(header)));
    }

    /** Counts executions by what they leave behind, before and after: {@code counting(() -> orders.count())}. */
    public DuplicateCalls counting(IntSupplier executions) {
        return new DuplicateCalls(calls, times, deadline, executions, reading);
    }

    /** Counts the executions that the probe hears of, of all operations. */
    public DuplicateCalls counting(OutcomeCounter probe) {
        return counting(() -> probe.all().executions());
    }

    /**
     * Makes all calls at once, each on a thread of its own.
     *
     * @throws AssertionError if a call has no response when the time is over
     */
    public CallResults concurrently() {
        int before = count();
        return replies(ConcurrentCalls.call(calls.prepare(times, deadline, reading), deadline, reading), before);
    }

    /**
     * Makes one call after the other, on the calling thread, which is interrupted when the time is over.
     *
     * @throws AssertionError if a call has no response then
     */
    public CallResults oneByOne() {
        int before = count();
        return replies(SequentialCalls.call(calls.prepare(times, deadline, reading), deadline, reading), before);
    }

    private CallResults replies(List<CallResult> replies, int before) {
        CallResults all = new CallResults(replies, counter == null ? null : count() - before);
        return all.inTime(deadline);
    }

    private int count() {
        return counter == null ? 0 : counter.getAsInt();
    }

    private static CallResult reply(Callable<?> call, CallResultReader reading) throws Exception {
        Object returned = call.call();
        if (returned instanceof CompletionStage<?> stage) {
            returned = stage.toCompletableFuture().get();
        }
        return reading.of(returned);
    }

    /** Makes the calls. */
    interface CallRunner {
        /**
         * On the thread of the test; to be called on any. Who calls them interrupts them when the time is over, so that none of
         * them needs to know it, unless it would give up before that.
         */
        List<Callable<CallResult>> prepare(int times, Duration deadline, CallResultReader reading);
    }
}
