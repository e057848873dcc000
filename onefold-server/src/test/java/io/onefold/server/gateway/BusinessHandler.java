package io.onefold.server.gateway;

import io.onefold.http.contract.Business;
import io.onefold.http.contract.Call;
import io.onefold.http.contract.Exit;
import io.onefold.http.contract.Line;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;

/** The business as a service of its own. */
final class BusinessHandler extends Handler.Abstract {
    private final Business business;

    BusinessHandler(Business business) {
        this.business = business;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        List<Line> headers = new ArrayList<>();
        for (HttpField field : request.getHeaders()) {
            headers.add(new Line(field.getName(), String.valueOf(field.getValue())));
        }
        byte[] body = Content.Source.asInputStream(request).readAllBytes();
        String path = String.valueOf(request.getHttpURI().getPath());
        Call call = new Call(request.getMethod(), path, request.getHttpURI().getQuery(), headers, body);
        try {
            business.serve(call, new ResponseExit(response));
            callback.succeeded();
        } catch (Exception e) {
            // a service that breaks down says nothing
            request.getConnectionMetaData().getConnection().getEndPoint().close();
            callback.failed(e);
        }
        return true;
    }

    private record ResponseExit(Response response) implements Exit {
        @Override
        public void begin(int status, List<Line> headers, List<Line> trailers) {
            response.setStatus(status);
            headers.forEach(line -> response.getHeaders().add(line.name(), line.value()));
            if (!trailers.isEmpty()) {
                HttpFields.Mutable fields = HttpFields.build();
                trailers.forEach(line -> {
                    fields.add(line.name(), line.value());
                    response.getHeaders().add("Trailer", line.name());
                });
                response.setTrailersSupplier(() -> fields);
            }
        }

        @Override
        public void write(byte[] piece) throws IOException {
            try (Blocker.Callback written = Blocker.callback()) {
                response.write(false, ByteBuffer.wrap(piece), written);
                written.block();
            }
        }
    }
}
