package io.onefold.http.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers of unknown length, which may break off: nobody is to take a part for the whole. */
abstract class TruncatedResponseCases extends AdapterCases {
    private static final String LONG = "x".repeat((256 << 10) + 1);

    TruncatedResponseCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void h47_events_that_break_off_are_seen_to_be_cut() throws Exception {
        open();
        business.does((call, number) -> events().breaksOff());
        for (RawRequest request : onBothConnections(RawRequest.post(key()), RawRequest.post(key()))) {
            isCut(request);
            if (joins()) {
                isCut(request); // once more: it was rolled back
            } else {
                ask(request).problem(409, "outcome-unknown");
            }
        }
        executed(joins() ? 4 : 2);
    }

    @Test
    void h47_a_long_answer_that_breaks_off_is_seen_to_be_cut() throws Exception {
        open();
        business.does((call, number) -> text().breaksOff());
        for (RawRequest request : onBothConnections(RawRequest.post(key()), RawRequest.post(key()))) {
            isCut(request);
            ask(request).problem(409, "outcome-unknown");
        }
        executed(2);
    }

    @Test
    void h47_an_answer_that_passes_and_breaks_off_is_seen_to_be_cut() throws Exception {
        open();
        business.does((call, number) -> events().breaksOff());
        for (RawRequest request : onBothConnections(RawRequest.get("/orders"), RawRequest.of("POST", "/orders"))) {
            isCut(request);
        }
        executed(2);
    }

    @Test
    void h47_an_answer_that_does_not_break_off_ends_on_a_connection_that_is_closed() throws Exception {
        open();
        for (ServiceResponse reply : List.of(events(), text())) {
            business.does((call, number) -> reply);
            for (RawRequest request : List.of(RawRequest.post(key()), RawRequest.get("/orders"))) {
                ReceivedResponse whole =
                        ask(request.with("Connection", "close")).first(200);
                assertThat(whole.body())
                        .hasSize(reply.pieces().stream()
                                .mapToInt(piece -> piece.length)
                                .sum());
            }
        }
    }

    @Test
    void h47_a_client_of_HTTP_1_0_is_hung_up_on_by_a_reset() throws Exception {
        open();
        business.does((call, number) -> text().breaksOff());
        for (RawRequest request : List.of(RawRequest.post(key()), RawRequest.get("/orders"))) {
            String head = new String(request.head(), ISO_8859_1).replace("HTTP/1.1", "HTTP/1.0");
            try (RawConnection wire = wire()) {
                wire.send(head);
                wire.send(request.content());
                assertThatThrownBy(() -> readOld(wire)).isInstanceOf(SocketException.class);
            }
        }
    }

    /** Reads to the end of the connection, because HTTP/1.0 has no chunks. */
    private static void readOld(RawConnection wire) throws IOException {
        ReceivedResponse head = wire.readHead();
        assertThat(head.all("Transfer-Encoding")).as("%s", head).isEmpty();
        wire.readBody(head);
    }

    /** The first on a connection that stays, the second on one that is closed afterwards, as many proxies have it. */
    private static List<RawRequest> onBothConnections(RawRequest kept, RawRequest closed) {
        return List.of(kept, closed.with("Connection", "close"));
    }

    private static ServiceResponse events() {
        return ServiceResponse.of(200)
                .with("Content-Type", "text/event-stream")
                .piece("data: one\n\n")
                .piece("data: two\n\n");
    }

    private static ServiceResponse text() {
        return ServiceResponse.of(200)
                .with("Content-Type", "text/plain")
                .piece(LONG)
                .piece("end");
    }

    private void isCut(RawRequest request) throws IOException {
        try (RawConnection wire = wire()) {
            wire.send(request);
            ReceivedResponse head = wire.readHead();
            assertThat(head.status()).as("%s", head).isEqualTo(200);
            assertThatThrownBy(() -> wire.readBody(head))
                    .as("the end of %s", head)
                    .isInstanceOfAny(EOFException.class, SocketException.class);
        }
    }
}
