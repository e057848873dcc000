package io.onefold.server.config;

import io.onefold.payload.AesGcmSeal;
import io.onefold.payload.FingerprintKeys;
import io.onefold.payload.JsonCodec;
import io.onefold.payload.MacSeal;
import io.onefold.payload.ResultSerializer;
import io.onefold.payload.Seal;
import io.onefold.server.config.GatewayConfig.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys that protect stored data. The file only says where a secret is, never the secret itself, so that it can
 * be kept with other configuration files. Messages show only names.
 */
final class SecretReader {
    private static final String ALLOWED = "ID=env:NAME or ID=file:PATH, such as 2026-11=file:/run/secrets/onefold";
    private static final String BASE64 = "is not Base64, such as \"openssl rand -base64 32\" makes";

    private final ConfigSection top;
    private final Function<String, @Nullable String> environment;

    SecretReader(ConfigSection top, Function<String, @Nullable String> environment) {
        this.top = top;
        this.environment = environment;
    }

    Secrets read() {
        FingerprintKeys prints = keyed("fingerprint-keys", FingerprintKeys::hmac);
        SealKind kind = top.choice("seal.kind", SealKind.class);
        UnsealedOption unsealed = top.choice("seal.unsealed", UnsealedOption.class);
        Seal seal = keyed("seal.keys", kind == SealKind.MAC ? MacSeal::of : AesGcmSeal::of);
        if (seal == null && (kind != null || unsealed != null)) {
            throw new ConfigException(top.where(kind == null ? "seal.unsealed" : "seal.kind")
                    + ": nothing is sealed without seal.keys: " + ALLOWED);
        }
        ResultSerializer plain = ResultSerializer.with(new JsonCodec());
        ResultSerializer results = seal == null ? plain : plain.sealedBy(seal);
        return new Secrets(
                prints == null ? FingerprintKeys.none() : prints,
                unsealed == UnsealedOption.ACCEPT ? results.acceptingUnsealed() : results);
    }

    /** Returns null if there are no keys. */
    private <T> @Nullable T keyed(String name, BiFunction<String, Map<String, byte[]>, ? extends T> make) {
        List<NamedSecret> secrets = top.list(name, this::secret);
        if (secrets == null) {
            return null;
        }
        if (secrets.isEmpty()) {
            throw new ConfigException(top.where(name) + ": " + name + ": name at least one: " + ALLOWED);
        }
        return top.checked(name, () -> {
            Map<String, byte[]> byId = new LinkedHashMap<>();
            for (NamedSecret secret : secrets) {
                if (byId.put(secret.id, secret.bytes) != null) {
                    throw new IllegalArgumentException("two secrets are called " + secret.id);
                }
            }
            return make.apply(secrets.get(0).id, byId);
        });
    }

    private NamedSecret secret(String text) {
        int mark = text.indexOf('=');
        String id = text.substring(0, Math.max(mark, 0));
        String place = text.substring(mark + 1);
        if (mark < 1 || !(place.startsWith("env:") || place.startsWith("file:"))) {
            // the written value may be the secret itself
            throw new IllegalArgumentException("a secret does not stand in the file; allowed is " + ALLOWED);
        }
        String coded = place.startsWith("env:") ? variable(place.substring(4)) : content(place.substring(5));
        try {
            return new NamedSecret(id, Base64.getDecoder().decode(coded.strip()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("what is in " + place + " " + BASE64);
        }
    }

    private String variable(String name) {
        String value = environment.apply(name);
        if (value == null) {
            throw new IllegalArgumentException("the environment has no variable " + name);
        }
        return value;
    }

    private static String content(String path) {
        try {
            return new String(Files.readAllBytes(Path.of(path)), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new IllegalArgumentException("the file " + path + " cannot be read", e);
        }
    }

    private static final class NamedSecret {
        final String id;
        final byte[] bytes;

        NamedSecret(String id, byte[] bytes) {
            this.id = id;
            this.bytes = bytes;
        }
    }

    private enum SealKind {
        AES,
        MAC
    }

    private enum UnsealedOption {
        REFUSE,
        ACCEPT
    }
}
