package io.onefold.spring.webflux;

import io.onefold.http.Problem;
import io.onefold.http.ProblemException;
import io.onefold.http.ProtectedExchange;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Reads a body into a spool as it comes. No thread waits for the client, and no thread of an event loop waits for a disk. */
final class WebFluxBodyReader {
    private static final Logger LOG = LoggerFactory.getLogger(WebFluxBodyReader.class);

    private final ServerWebExchange web;
    private final ProtectedExchange exchange;
    private boolean any;
    private boolean instead;
    private long count;
    private volatile boolean over;

    WebFluxBodyReader(ServerWebExchange web, ProtectedExchange exchange) {
        this.web = web;
        this.exchange = exchange;
    }

    /** Reads the body. The Mono ends when all is read, and fails if the body is rejected or incomplete. */
    Mono<Void> read() {
        return web.getRequest()
                .getBody()
                // one at a time: none is in a queue when the client leaves
                .concatMap(piece -> written(bytes(piece)), 0)
                // a piece that was on its way all the same
                .doOnDiscard(DataBuffer.class, DataBufferUtils::release)
                .doOnError(failure -> over = true)
                .then()
                .onErrorResume(IllegalStateException.class, taken -> any ? Mono.error(taken) : instead(taken))
                .then(Mono.defer(() -> any ? Mono.empty() : instead(null)))
                .then(Mono.defer(this::whole))
                .doOnCancel(() -> {
                    over = true;
                    exchange.close();
                });
    }

    private Mono<Void> whole() {
        if (NettyBodyCheck.hasAnswered(web.getResponse())) {
            return Mono.error(new ProblemException(Problem.ProblemType.BODY_INVALID, "The body is framed wrongly."));
        }
        // a body that breaks off ends with an error
        boolean missing = !instead && count < web.getRequest().getHeaders().getContentLength();
        return missing ? Mono.error(taken()) : Mono.empty();
    }

    static byte[] bytes(DataBuffer piece) {
        try {
            byte[] bytes = new byte[piece.readableByteCount()];
            piece.read(bytes);
            return bytes;
        } finally {
            DataBufferUtils.release(piece);
        }
    }

    private Mono<Void> written(byte[] bytes) {
        any = true;
        count += bytes.length;
        return BlockingWorkScheduler.call(() -> {
                    write(bytes);
                    return true;
                })
                .then();
    }

    private void write(byte[] bytes) throws ProblemException {
        try {
            exchange.spool().write(bytes, 0, bytes.length);
        } catch (ProblemException e) {
            if (!over) {
                throw e; // otherwise it was given up, and no caller waits
            }
        }
    }

    /** Reads a form that other code has read before: its values remain, though its body is consumed. */
    private Mono<Void> instead(@Nullable IllegalStateException taken) {
        MediaType type = type(web);
        if (!MediaType.APPLICATION_FORM_URLENCODED.isCompatibleWith(type)) {
            return taken == null ? Mono.empty() : Mono.error(taken());
        }
        any = true;
        return web.getFormData()
                .map(form -> written(form, charset(web)))
                .filter(body -> body.length > 0)
                .flatMap(body -> {
                    instead = true;
                    return BlockingWorkScheduler.call(() -> {
                        exchange.spool().writeInstead(body);
                        return true;
                    });
                })
                .then()
                // there was no body, and some servers allow only one subscription
                .onErrorResume(
                        IllegalStateException.class, again -> taken == null ? Mono.empty() : Mono.error(taken()));
    }

    private ProblemException taken() {
        LOG.error(
                "The body of {} {} was read before IdempotencyWebFilter could. Requests with a key are refused until the filter"
                        + " stands before whatever reads bodies, or that hands on a request whose body can be read again"
                        + " (ServerHttpRequestDecorator).",
                web.getRequest().getMethod(),
                web.getRequest().getPath());
        return new ProblemException(
                Problem.ProblemType.MISCONFIGURED, "The body was read by somebody else before it could be looked at.");
    }

    /** The charset of a form. */
    static Charset charset(ServerWebExchange web) {
        MediaType type = type(web);
        return type == null || type.getCharset() == null ? StandardCharsets.UTF_8 : type.getCharset();
    }

    static @Nullable MediaType type(ServerWebExchange web) {
        try {
            return web.getRequest().getHeaders().getContentType();
        } catch (InvalidMediaTypeException e) {
            return null;
        }
    }

    static byte[] written(MultiValueMap<String, String> form, Charset charset) {
        StringBuilder body = new StringBuilder();
        form.forEach((name, values) -> values.forEach(value -> {
            body.append(body.length() == 0 ? "" : "&").append(URLEncoder.encode(name, charset));
            if (Objects.nonNull(value)) {
                body.append('=').append(URLEncoder.encode(value, charset));
            }
        }));
        return body.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
