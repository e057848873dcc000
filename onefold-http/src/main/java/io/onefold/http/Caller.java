package io.onefold.http;

import io.onefold.Key;
import org.jspecify.annotations.Nullable;

/**
 * Whose request it is: keys of one caller mean nothing to another.
 *
 * @param tenant null where there is one only
 * @param principal null for all who are not told apart
 * @param issuer who vouches for the principal's name: an issuer of tokens, a registration, or an alias of them; null where there is one only
 */
public record Caller(
        @Nullable String tenant,
        @Nullable String principal,
        @Nullable String issuer) {
    private static final int MAX_PART = 100;

    /** Everybody: who knows a key gets its answer. */
    public static final Caller ANONYMOUS = new Caller(null, null);

    /** Where one issuer vouches for all names. */
    public Caller(@Nullable String tenant, @Nullable String principal) {
        this(tenant, principal, null);
    }

    public static Caller of(String principal) {
        return new Caller(null, principal);
    }

    /** The key as this caller's own. */
    public Key in(Key key) {
        Key scoped = tenant == null ? key : key.in("tenant", part(tenant));
        scoped = issuer == null ? scoped : scoped.in("issuer", part(issuer));
        return principal == null ? scoped : scoped.in("user", part(principal));
    }

    /** The key that is a token which was issued to this caller. */
    public Key token(String token) {
        return Key.ofToken(token, user());
    }

    /** Whom a token is issued to. */
    String user() {
        // with blanks, which no part has: neither a name nor where a tenant ends can be imitated
        String name = principal == null ? "no one" : part(principal);
        if (issuer != null) {
            // three words, of which the first alone may be empty
            return (tenant == null ? "" : part(tenant)) + " " + part(issuer) + " " + name;
        }
        return tenant == null ? name : part(tenant) + " " + name;
    }

    /** A name that is long or strange is known by its hash. */
    private static String part(String name) {
        boolean plain = !name.isBlank()
                && name.length() <= MAX_PART
                && !name.startsWith("sha256:")
                && Chars.all(name, c -> c > ' ' && c < 0x7F && c != '/' && c != '%');
        return plain ? name : "sha256:" + Sha256.of(name).substring(0, 40);
    }
}
