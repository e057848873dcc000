package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.RunningAdapter;
import io.onefold.http.contract.TestService;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Gateways as others have built them, each with one bug, and the case that must notice. */
class BrokenGatewayTest {
    private static volatile Bug broken = Bug.NONE;

    @ParameterizedTest
    @CsvSource({
        "B13, A_REPLAY_IS_ALWAYS_200, h19_b13_an_answer_is_replayed_with_its_status",
        "B13, A_REPLAY_LACKS_ITS_LOCATION, h25_b13_headers_that_belong_to_the_result_are_replayed",
        "B14, KEYS_OF_ALL_ARE_ONE, h08_b14_a_key_of_one_caller_means_nothing_to_another"
    })
    void each_is_caught_by_its_case(String row, Bug bug, String noticed) {
        broken = bug;
        assertThat(failures(noticed)).as(row).isPositive();
        broken = Bug.NONE;
        assertThat(failures(noticed)).as("without it").isZero();
    }

    private static long failures(String wanted) {
        PostDiscoveryFilter named = descriptor -> FilterResult.includedIf(descriptor
                .getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> wanted.equals(((MethodSource) source).getMethodName()))
                .orElse(false));
        Events tests = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(Broken.class))
                .filters(named)
                .execute()
                .testEvents();
        assertThat(tests.started().count()).as("cases run").isPositive();
        return tests.finished().stream()
                .filter(event ->
                        event.getRequiredPayload(TestExecutionResult.class).getStatus()
                                != TestExecutionResult.Status.SUCCESSFUL)
                .count();
    }

    /** What is done to the heads of requests and of answers. */
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private enum Bug {
        NONE(request -> request, answer -> answer),
        A_REPLAY_IS_ALWAYS_200(
                request -> request, answer -> replayed(answer) ? answer.replaceFirst(" [0-9]{3} ", " 200 ") : answer),
        A_REPLAY_LACKS_ITS_LOCATION(
                request -> request,
                answer -> replayed(answer) ? answer.replaceFirst("\nLocation: [^\n]*", "") : answer),
        KEYS_OF_ALL_ARE_ONE(
                request -> request.replaceFirst("\n" + AdapterSetup.USER + ": [^\n]*", ""), answer -> answer);

        private final UnaryOperator<String> request;
        private final UnaryOperator<String> answer;

        Bug(UnaryOperator<String> request, UnaryOperator<String> answer) {
            this.request = request;
            this.answer = answer;
        }

        private static boolean replayed(String head) {
            return head.contains("Idempotent-Replayed: true");
        }
    }

    /** Run by the cases above alone. */
    static class Broken extends AdapterContract {
        @Override
        protected AdapterFixture fixture() {
            return new AdapterFixture() {
                @Override
                public String name() {
                    return broken.name();
                }

                @Override
                public RunningAdapter open(AdapterSetup setting, TestService business) throws Exception {
                    return new Front(new GatewayContractTest().fixture().open(setting, business), broken);
                }

                @Override
                public boolean reported() {
                    return false;
                }
            };
        }
    }

    /** The gateway, and on its only way in somebody who changes what is said. One request for each connection. */
    private static final class Front implements RunningAdapter {
        private final RunningAdapter gateway;
        private final Bug bug;
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

        Front(RunningAdapter gateway, Bug bug) throws IOException {
            this.gateway = gateway;
            this.bug = bug;
            background(this::accept);
        }

        private void accept() {
            try {
                while (true) {
                    Socket client = listener.accept();
                    Socket behind = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
                    background(() -> pass(client, behind, bug.request));
                    background(() -> pass(behind, client, bug.answer));
                }
            } catch (IOException e) {
                // it is closed
            }
        }

        private static void pass(Socket from, Socket to, UnaryOperator<String> change) {
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                ByteArrayOutputStream head = new ByteArrayOutputStream();
                for (int c = in.read(); c >= 0; c = in.read()) {
                    head.write(c);
                    if (c == '\n' && head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
                        break;
                    }
                }
                out.write(change.apply(head.toString(ISO_8859_1)).getBytes(ISO_8859_1));
                in.transferTo(out);
            } catch (IOException e) {
                // one of them has left
            }
        }

        private static void background(Runnable task) {
            Thread thread = new Thread(task, "front");
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public int port() {
            return listener.getLocalPort();
        }

        @Override
        public void close() throws Exception {
            listener.close();
            gateway.close();
        }
    }
}
