package io.onefold.benchmarks.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;

/** The service behind the proxies: as little as can be, so that what is measured are they. It counts what it is asked to do. */
final class Service extends Handler.Abstract.NonBlocking {
    static final String ORDERS = "/orders";
    /** Not answered until they are released. */
    static final String HELD = "/held";

    static final String UPLOADS = "/uploads";

    private static final int IDLE_MILLIS = 300_000;

    private final AtomicLong executions = new AtomicLong();
    private final List<Runnable> held = new ArrayList<>();

    static Server start(Service service) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(IDLE_MILLIS);
        server.addConnector(connector);
        server.setHandler(service);
        server.start();
        return server;
    }

    long executions() {
        return executions.get();
    }

    synchronized int held() {
        return held.size();
    }

    synchronized void release() {
        held.forEach(Runnable::run);
        held.clear();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        switch (request.getHttpURI().getPath()) {
            case ORDERS -> ordered(request, response, callback);
            case HELD -> {
                request.addIdleTimeoutListener(timeout -> false);
                hold(() -> ordered(request, response, callback));
            }
            case UPLOADS ->
                Content.Source.consumeAll(
                        request, Callback.from(() -> answer("upload", response, callback), callback::failed));
            default -> Response.writeError(request, response, callback, 404);
        }
        return true;
    }

    private synchronized void hold(Runnable request) {
        held.add(request);
    }

    private void ordered(Request request, Response response, Callback callback) {
        Promise<ByteBuffer> read = Promise.from(body -> answer(Order.key(body), response, callback), callback::failed);
        Content.Source.asByteBuffer(request, read);
    }

    private void answer(String key, Response response, Callback callback) {
        byte[] answer = Order.answer(key, executions.incrementAndGet()).getBytes(US_ASCII);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.length);
        response.write(true, ByteBuffer.wrap(answer), callback);
    }
}
