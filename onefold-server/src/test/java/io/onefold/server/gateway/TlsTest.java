package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    @TempDir
    Path directory;

    @Test
    void a_service_that_cannot_show_who_it_is_gets_no_request_and_the_key_is_free() throws Exception {
        try (SSLServerSocket listener = stranger();
                Rig rig = Rig.with("https://localhost:" + listener.getLocalPort(), directory, "defaults.wait: 0")) {
            Thread stranger = new Thread(() -> shakeHands(listener), "stranger");
            stranger.setDaemon(true);
            stranger.start();
            for (int i = 0; i < 2; i++) {
                Message refused = rig.client.post("/orders", "k", "{}");
                assertThat(refused.status()).isEqualTo(502);
                assertThat(refused.problem())
                        .as("not unknown: nobody has seen a byte of it")
                        .isEqualTo("upstream-unreachable");
            }
        }
    }

    private static void shakeHands(SSLServerSocket listener) {
        while (!listener.isClosed()) {
            try (SSLSocket socket = (SSLSocket) listener.accept();
                    InputStream in = socket.getInputStream()) {
                in.readAllBytes();
            } catch (java.io.IOException e) {
                // the gateway does not want to know it
            }
        }
    }

    /** Signed by nobody but itself. */
    private SSLServerSocket stranger() throws Exception {
        Path file = directory.resolve("stranger.p12");
        String keytool = System.getProperty("java.home") + File.separator + "bin" + File.separator + "keytool";
        Process made = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        "stranger")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(made.waitFor(1, TimeUnit.MINUTES)).isTrue();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        char[] password = "stranger".toCharArray();
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, password);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }
}
