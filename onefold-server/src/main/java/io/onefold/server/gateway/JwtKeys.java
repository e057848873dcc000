package io.onefold.server.gateway;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys that tokens are signed with. They are read again now and then, and when a token names an unknown key. A
 * caller that must not wait for that first asks whether a key is at hand.
 */
final class JwtKeys {
    private static final int MAX_BYTES = 1 << 20;
    private static final int TIMEOUT_MILLIS = 2_000;
    private static final long CACHED_MILLIS = 300_000;
    private static final long REFRESH_PATIENCE_MILLIS = 5_000;

    /** The shortest time between two fetches, however many tokens name unknown keys. */
    private static final long AT_MOST_EVERY_MILLIS = 10_000;

    /** The time before the cache expires: a key that is at hand now must still be so when it is read. */
    private static final long MARGIN_MILLIS = 10_000;

    private final JWKSource<SecurityContext> source;
    private final @Nullable FetchedKeys fetched;

    private JwtKeys(JWKSetSource<SecurityContext> origin) {
        this.fetched = origin instanceof FetchedKeys remembers ? remembers : null;
        this.source = JWKSourceBuilder.create(origin)
                .cache(CACHED_MILLIS, REFRESH_PATIENCE_MILLIS)
                .refreshAheadCache(false)
                .rateLimited(AT_MOST_EVERY_MILLIS)
                .build();
    }

    /**
     * @param place a file, or an address that begins with http
     */
    static JwtKeys at(String place) {
        if (place.startsWith("http://") || place.startsWith("https://")) {
            try {
                return new JwtKeys(new FetchedKeys(new URLBasedJWKSetSource<>(
                        URI.create(place).toURL(),
                        new DefaultResourceRetriever(TIMEOUT_MILLIS, TIMEOUT_MILLIS, MAX_BYTES))));
            } catch (IOException e) {
                throw new IllegalArgumentException("jwks: " + place + " is not an address", e);
            }
        } else {
            KeysInFile file = new KeysInFile(Path.of(place));
            try {
                // a broken file is a mistake, but an address that does not respond may only be down for a moment
                var unused = file.read();
            } catch (KeySourceException e) {
                throw new IllegalArgumentException("jwks: " + e.getMessage(), e);
            }
            return new JwtKeys(file);
        }
    }

    /** Returns the matching keys; may have to fetch them first. */
    List<JWK> get(JWKMatcher wanted) throws KeySourceException {
        return source.get(new JWKSelector(wanted), null);
    }

    /** Returns true if {@link #get} returns without a fetch. */
    boolean atHand(JWKMatcher wanted) {
        return fetched == null || fetched.has(wanted);
    }

    /** Remembers the keys of its last fetch. */
    private static final class FetchedKeys implements JWKSetSource<SecurityContext> {
        private final JWKSetSource<SecurityContext> address;
        private volatile @Nullable LastFetch last;

        FetchedKeys(JWKSetSource<SecurityContext> address) {
            this.address = address;
        }

        boolean has(JWKMatcher wanted) {
            LastFetch known = last;
            return known != null
                    && System.currentTimeMillis() < known.at + CACHED_MILLIS - MARGIN_MILLIS
                    && known.keys.getKeys().stream().anyMatch(wanted::matches);
        }

        @Override
        public JWKSet getJWKSet(
                JWKSetCacheRefreshEvaluator evaluator, long currentTime, @Nullable SecurityContext context)
                throws KeySourceException {
            JWKSet keys = address.getJWKSet(evaluator, currentTime, context);
            last = new LastFetch(keys, currentTime);
            return keys;
        }

        @Override
        public void close() throws IOException {
            address.close();
        }

        private record LastFetch(JWKSet keys, long at) {}
    }

    private record KeysInFile(Path path) implements JWKSetSource<SecurityContext> {

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
