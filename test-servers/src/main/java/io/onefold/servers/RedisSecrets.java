package io.onefold.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** What a secured Redis and its clients must know: a user, and a certificate that vouches for itself, for this server alone. */
final class RedisSecrets {
    private static final String STORE_TYPE = "PKCS12";
    private static final String ALIAS = "redis";
    private static final String VALID_DAYS = "7";

    private final Path home;
    private final String password = UUID.randomUUID().toString();
    private final String storePassword = UUID.randomUUID().toString();

    RedisSecrets(Path home) {
        this.home = home;
    }

    String user() {
        return "onefold";
    }

    String password() {
        return password;
    }

    Path trustStore() {
        return home.resolve("trust.p12");
    }

    String storePassword() {
        return storePassword;
    }

    List<String> options(int port) {
        return List.of(
                "--port",
                "0",
                "--tls-port",
                Integer.toString(port),
                "--tls-cert-file",
                certificate().toString(),
                "--tls-key-file",
                key().toString(),
                "--tls-ca-cert-file",
                certificate().toString(),
                "--tls-auth-clients",
                "no",
                "--aclfile",
                users().toString());
    }

    /** Sockets that trust this server and no other. */
    SocketFactory sockets() {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(load(trustStore()));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The server's directory keeps others from reading the key. */
    void create() throws IOException {
        Files.writeString(users(), "user default off\nuser " + user() + " on >" + password + " ~* &* +@all\n");
        Path pair = home.resolve("pair.p12");
        generate(pair);
        try {
            KeyStore made = load(pair);
            writePem(
                    key(),
                    "PRIVATE KEY",
                    made.getKey(ALIAS, storePassword.toCharArray()).getEncoded());
            writePem(certificate(), "CERTIFICATE", made.getCertificate(ALIAS).getEncoded());
            KeyStore trusted = KeyStore.getInstance(STORE_TYPE);
            trusted.load(null, null);
            trusted.setCertificateEntry(ALIAS, made.getCertificate(ALIAS));
            try (OutputStream file = Files.newOutputStream(trustStore())) {
                trusted.store(file, storePassword.toCharArray());
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** By the JDK's own tool: its classes can read certificates but not make them. */
    private void generate(Path pair) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-validity",
                VALID_DAYS,
                "-storetype",
                STORE_TYPE,
                "-keystore",
                pair.toString(),
                "-storepass",
                storePassword);
        Path log = home.resolve("keytool.log");
        if (Processes.await(Processes.start(command, log)) != 0) {
            throw Processes.failure("keytool failed", log);
        }
    }

    private KeyStore load(Path path) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(STORE_TYPE);
        try (InputStream file = Files.newInputStream(path)) {
            store.load(file, storePassword.toCharArray());
        }
        return store;
    }

    private static void writePem(Path path, String kind, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        Files.writeString(path, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    private Path certificate() {
        return home.resolve("certificate.pem");
    }

    private Path key() {
        return home.resolve("key.pem");
    }

    private Path users() {
        return home.resolve("users.acl");
    }
}
