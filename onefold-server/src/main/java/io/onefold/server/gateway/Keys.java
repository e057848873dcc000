package io.onefold.server.gateway;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetParseException;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.URLBasedJWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import org.jspecify.annotations.Nullable;

/** The keys that tokens are signed with: read again now and then, and when a token names one that is not among them. */
final class Keys {
    private static final int MAX_BYTES = 1 << 20;
    private static final int TIMEOUT_MILLIS = 2_000;
    private static final long CACHED_MILLIS = 300_000;
    private static final long REFRESH_PATIENCE_MILLIS = 5_000;

    /** However many tokens name keys that do not exist. */
    private static final long AT_MOST_EVERY_MILLIS = 10_000;

    private Keys() {}

    /**
     * @param place a file, or an address that begins with http
     */
    static JWKSource<SecurityContext> at(String place) {
        JWKSetSource<SecurityContext> source;
        if (place.startsWith("http://") || place.startsWith("https://")) {
            try {
                source = new URLBasedJWKSetSource<>(
                        URI.create(place).toURL(),
                        new DefaultResourceRetriever(TIMEOUT_MILLIS, TIMEOUT_MILLIS, MAX_BYTES));
            } catch (IOException e) {
                throw new IllegalArgumentException("jwks: " + place + " is not an address", e);
            }
        } else {
            InFile file = new InFile(Path.of(place));
            try {
                // a file that is wrong now is a mistake, an address that does not answer may be a bad moment
                var unused = file.read();
            } catch (KeySourceException e) {
                throw new IllegalArgumentException("jwks: " + e.getMessage(), e);
            }
            source = file;
        }
        return JWKSourceBuilder.create(source)
                .cache(CACHED_MILLIS, REFRESH_PATIENCE_MILLIS)
                .refreshAheadCache(false)
                .rateLimited(AT_MOST_EVERY_MILLIS)
                .build();
    }

    private record InFile(Path path) implements JWKSetSource<SecurityContext> {

        JWKSet read() throws KeySourceException {
            try {
                return JWKSet.parse(Files.readString(path));
            } catch (IOException e) {
                throw new JWKSetUnavailableException(path + " cannot be read", e);
            } catch (ParseException e) {
                throw new JWKSetParseException(path + " is not a key set: " + e.getMessage(), e);
            }
        }

        @Override
        public JWKSet getJWKSet(
                JWKSetCacheRefreshEvaluator evaluator, long currentTime, @Nullable SecurityContext context)
                throws KeySourceException {
            return read();
        }

        @Override
        public void close() {}
    }
}
