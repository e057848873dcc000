package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The service behind the adapter. It counts its executions, and a case can hold it while it is at work. A fixture runs
 * it as an application behind a filter, or as a service behind a gateway.
 */
public final class TestService {
    /** A link that is sent before a response, and not in it. */
    static final String EARLY = "</early.css>; rel=preload";

    private static final long DEADLINE_MILLIS = 20_000;

    private final List<ServiceRequest> calls = new CopyOnWriteArrayList<>();
    private final Set<String> banned = ConcurrentHashMap.newKeySet();
    private final Object gate = new Object();
    private volatile ServiceBehavior work = (call, number) -> ServiceResponse.json(201, "{\"number\":" + number + "}")
            .with("Location", "/orders/" + number)
            .with("ETag", "\"v" + number + "\"");
    private boolean held;
    private int atGate;
    private int stopped;
    private long arrived;

    TestService() {}

    /** The behavior of the test service. */
    @FunctionalInterface
    interface ServiceBehavior {
        /**
         * Answers a request.
         *
         * @param number of this execution, from 1 on
         */
        ServiceResponse reply(ServiceRequest call, int number) throws Exception;
    }

    /** Returns true if the user may send requests at all. Fixtures call this for each request, before the adapter. */
    public boolean admits(@Nullable String user) {
        return user == null || !banned.contains(user);
    }

    /**
     * A piece of a request has come, of the body at least. A fixture tells it while it reads; one that is handed bodies as a whole
     * cannot, and says so.
     */
    public void arrived(int bytes) {
        synchronized (gate) {
            arrived += Math.max(0, bytes);
            gate.notifyAll();
        }
    }

    /** Reads all of a body, and reports each piece as it comes. */
    public byte[] read(InputStream body) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] piece = new byte[8192];
        for (int count = body.read(piece); count >= 0; count = body.read(piece)) {
            arrived(count);
            all.write(piece, 0, count);
        }
        return all.toByteArray();
    }

    /**
     * Carries a request out. If it throws, that is an exception of the application. If the service is a process of its
     * own, it is a connection that ends without a response.
     */
    public void serve(ServiceRequest call, ResponseSink exit) throws Exception {
        int number;
        synchronized (calls) {
            calls.add(call);
            number = calls.size();
        }
        pass();
        ServiceResponse reply = work.reply(call, number);
        for (int early : reply.interim()) {
            exit.interim(early, List.of(new HeaderLine("Link", EARLY)));
        }
        exit.begin(reply.status(), reply.headers(), reply.trailers());
        boolean first = true;
        for (byte[] piece : reply.pieces()) {
            if (!first) {
                pass();
            }
            first = false;
            exit.write(piece);
        }
        if (reply.end() == ServiceResponse.ResponseEnd.THROWN) {
            exit.thrown();
        }
        if (reply.end() == ServiceResponse.ResponseEnd.CUT) {
            throw new IOException("the answer breaks off");
        }
        if (reply.end() == ServiceResponse.ResponseEnd.NEVER) {
            goOn(reply.pieces().get(reply.pieces().size() - 1), exit);
        }
    }

    private void goOn(byte[] piece, ResponseSink exit) throws IOException {
        long end = System.nanoTime() + DEADLINE_MILLIS * 1_000_000;
        try {
            while (System.nanoTime() < end) {
                exit.write(piece);
                LockSupport.parkNanos(5_000_000);
            }
        } catch (IOException | RuntimeException e) {
            synchronized (gate) {
                stopped++;
                gate.notifyAll();
            }
            throw e;
        }
    }

    TestService does(ServiceBehavior other) {
        work = other;
        return this;
    }

    void ban(String user) {
        banned.add(user);
    }

    int executions() {
        return calls.size();
    }

    List<ServiceRequest> calls() {
        return List.copyOf(calls);
    }

    /** Makes executions stop from now on before they respond, and between pieces of a response. */
    void hold() {
        synchronized (gate) {
            held = true;
        }
    }

    /** Lets everything pass. */
    void release() {
        synchronized (gate) {
            held = false;
            gate.notifyAll();
        }
    }

    /** Returns when so many executions stand at the gate. */
    void awaitHeld(int count) throws InterruptedException {
        await(() -> atGate >= count, "executions at the gate");
    }

    /** Returns when so many bytes have come. */
    void awaitArrived(long bytes) throws InterruptedException {
        await(() -> arrived >= bytes, "bytes of a body");
    }

    /** Returns when so many executions that never end were stopped. */
    void awaitStopped(int count) throws InterruptedException {
        await(() -> stopped >= count, "executions stopped");
    }

    private void pass() throws InterruptedException {
        synchronized (gate) {
            atGate++;
            gate.notifyAll();
            try {
                await(() -> !held, "gate open");
            } finally {
                atGate--;
            }
        }
    }

    private void await(java.util.function.BooleanSupplier condition, String what) throws InterruptedException {
        long end = System.nanoTime() + DEADLINE_MILLIS * 1_000_000;
        synchronized (gate) {
            while (!condition.getAsBoolean()) {
                long left = (end - System.nanoTime()) / 1_000_000;
                assertThat(left).as("%s in time", what).isPositive();
                gate.wait(left);
            }
        }
    }
}
