package io.onefold.http.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.net.Socket;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What Onefold's own loggers say of keys, at all levels. */
class KeysInLogsTest extends FilterCases {
    private static final String SECRET = "jane.doe.1970";
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.onefold");

    private final Lines lines = new Lines();

    @BeforeEach
    void listen() {
        lines.start();
        LOGGER.addAppender(lines);
        LOGGER.setLevel(Level.TRACE);
    }

    @AfterEach
    void stopListening() {
        LOGGER.setLevel(null);
        LOGGER.detachAppender(lines);
    }

    @Test
    void s06_no_line_shows_a_key_whatever_becomes_of_its_request() throws Exception {
        Servlet servlet = counting((request, response) -> {
            if (request.getQueryString() != null) {
                throw new IllegalStateException("broken on purpose");
            }
        });
        start(Map.of("/pay", servlet), null);
        for (String key : new String[] {SECRET, '"' + SECRET + "\";a=1", SECRET + "%0d%0aforged", SECRET + ":'<b>"}) {
            ask(key, "/pay", "{}", 200);
            ask(key, "/pay", "{}", 200);
            ask(key, "/pay", "{\"other\":1}", 422);
            ask(key.replace(SECRET, SECRET + "x"), "/pay?fails", "{}", 500);
            ask(key.replace(SECRET, SECRET + "x"), "/pay?fails", "{}", 500);
        }
        for (String key : new String[] {
            "",
            '"' + SECRET,
            SECRET + "," + SECRET,
            SECRET.repeat(30),
            SECRET + "\u00e9",
            SECRET + "\tforged line",
            SECRET + "\\"
        }) {
            ask(key, "/pay", "{}", 400);
        }
        assertThat(lines.all).as("lines of %s", LOGGER.getName()).isNotEmpty();
        assertThat(lines.all).noneMatch(line -> line.contains(SECRET));
    }

    private void ask(String key, String target, String body, int status) throws IOException {
        try (Socket socket = new Socket("localhost", port())) {
            socket.getOutputStream()
                    .write(("POST " + target
                                    + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
                                    + "Idempotency-Key: " + key + "\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                    + body)
                            .getBytes(ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
            assertThat(answer).startsWith("HTTP/1.1 " + status);
        }
    }

    private static final class Lines extends AppenderBase<ILoggingEvent> {
        final Collection<String> all = new ConcurrentLinkedQueue<>();

        @Override
        protected void append(ILoggingEvent event) {
            all.add(event.getFormattedMessage()
                    + event.getMDCPropertyMap()
                    + (event.getThrowableProxy() == null
                            ? ""
                            : ThrowableProxyUtil.asString(event.getThrowableProxy())));
        }
    }
}
