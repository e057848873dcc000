package io.onefold.http;

import io.onefold.Key;
import org.jspecify.annotations.Nullable;

/**
 * The caller that a request belongs to. The same key of two callers is two keys.
 *
 * @param tenant null if there is only one tenant
 * @param principal null for callers that are not told apart
 * @param issuer the issuer of the principal's name: an issuer of tokens, a registration, or an alias of them; null if there is only one
 */
public record Caller(
        @Nullable String tenant,
        @Nullable String principal,
        @Nullable String issuer) {
    private static final int MAX_PART = 100;

    /** The caller that stands for everybody: a client that knows a key gets its response. */
    public static final Caller ANONYMOUS = new Caller(null, null);

    /** Creates a caller for applications in which one issuer vouches for all names. */
    public Caller(@Nullable String tenant, @Nullable String principal) {
        this(tenant, principal, null);
    }

    public static Caller of(String principal) {
        return new Caller(null, principal);
    }

    /** Returns the key in the scope of this caller. */
    public Key in(Key key) {
        Key scoped = tenant == null ? key : key.in("tenant", part(tenant));
        scoped = issuer == null ? scoped : scoped.in("issuer", part(issuer));
        return principal == null ? scoped : scoped.in("user", part(principal));
    }

    /** Returns the key for a token that was issued to this caller. */
    public Key token(String token) {
        return Key.ofToken(token, user());
    }

    /** The name under which tokens are issued to this caller. */
    String user() {
        // the separators are blanks, which no part contains: nobody can imitate another name or the end of a tenant
        String name = principal == null ? "no one" : part(principal);
        if (issuer != null) {
            // three words, of which only the first may be empty
            return (tenant == null ? "" : part(tenant)) + " " + part(issuer) + " " + name;
        }
        return tenant == null ? name : part(tenant) + " " + name;
    }

    /** Returns the name itself, or its hash if the name is long or has unusual characters. */
    private static String part(String name) {
        boolean plain = !name.isBlank()
                && name.length() <= MAX_PART
                && !name.startsWith("sha256:")
                && CharacterRules.all(name, c -> c > ' ' && c < 0x7F && c != '/' && c != '%');
        return plain ? name : "sha256:" + Sha256Digest.of(name).substring(0, 40);
    }
}
