package io.onefold;

import io.onefold.payload.Fingerprint;
import io.onefold.payload.Fingerprinter;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The identity of a request: the same key in the same scope for the same operation is the same request. Immutable. */
public final class Key {
    /** Also the width of the column that stores keep keys in. */
    public static final int MAX_LENGTH = 255;

    private static final String TOKEN = "token:";

    /**
     * The maximum length of an issued token. It is shorter than a key because the token's record has a key of its own.
     */
    public static final int MAX_TOKEN_LENGTH = MAX_LENGTH - TOKEN.length();

    private final String scope;
    private final String value;
    private final @Nullable Fingerprint fingerprint;
    private final @Nullable String bizId;
    private final @Nullable Duration window;
    private final @Nullable IssuedToken token;

    private Key(
            String scope,
            String value,
            @Nullable Fingerprint fingerprint,
            @Nullable String bizId,
            @Nullable Duration window,
            @Nullable IssuedToken token) {
        this.scope = scope;
        this.value = value;
        this.fingerprint = fingerprint;
        this.bizId = bizId;
        this.window = window;
        this.token = token;
    }

    public static Key of(String value) {
        return new Key("", checked(value), null, null, null, null);
    }

    /**
     * A key made of the content itself, for callers who have none: equal content within the window counts as one request. Two
     * honest requests that happen to be equal are one, too: prefer a key from the caller.
     */
    public static Key ofContent(@Nullable Object content, Duration window) {
        OperationPolicy.positive("window", window);
        byte[] digest = Fingerprinter.standard().value(content).digest();
        return new Key("", "content:" + HexFormat.of().formatHex(digest), null, null, window, null);
    }

    /**
     * A token that was issued to the user for the operation: valid for one execution, and for the replays of its answer. The user
     * is part of the scope, so that nobody else gets that answer.
     */
    public static Key ofToken(String token, String user) {
        Key bare = new Key("", checked(TOKEN + token), null, null, null, new IssuedToken(token, user));
        return bare.in(user);
    }

    /**
     * In a tenant's, principal's or consumer group's own space, inside the one that the key is in already. Parts are joined so that
     * no two lists of parts are the same.
     */
    public Key in(String... parts) {
        if (parts.length == 0) {
            throw new IllegalArgumentException("a scope needs at least one part");
        }
        StringBuilder joined = new StringBuilder(scope);
        for (String part : parts) {
            if (part.isBlank()) {
                throw new IllegalArgumentException("a part of a scope must not be blank");
            }
            joined.append(joined.length() == 0 ? "" : "/")
                    .append(part.replace("%", "%25").replace("/", "%2F"));
        }
        return new Key(printable("scope", joined.toString()), value, fingerprint, bizId, window, token);
    }

    /** With the payload that belongs to the key: the same key with another one is a conflict. */
    public Key matching(@Nullable Object payload) {
        return matching(Fingerprinter.standard().value(payload));
    }

    public Key matching(Fingerprint payload) {
        return new Key(scope, value, Objects.requireNonNull(payload, "payload"), bizId, window, token);
    }

    /** One of several requests of the same operation under one key: {@code req-001:item-A}. */
    public Key child(String name) {
        if (name.isBlank() || name.indexOf(':') >= 0) {
            throw new IllegalArgumentException("a child's name must not be blank or contain ':'");
        }
        notOfToken("child");
        return new Key(scope, checked(value + ":" + name), fingerprint, bizId, window, token);
    }

    /** Set apart by the system that it comes from: {@code A:req-001}. */
    public Key from(String system) {
        if (system.isBlank() || system.indexOf(':') >= 0) {
            throw new IllegalArgumentException("a system's name must not be blank or contain ':'");
        }
        notOfToken("from");
        return new Key(scope, checked(system + ":" + value), fingerprint, bizId, window, token);
    }

    /** With a business id that the record can be found by. */
    public Key bizId(String id) {
        return new Key(scope, value, fingerprint, printable("bizId", id), window, token);
    }

    /** The same request, without what was issued for it being asked for. */
    Key withoutToken() {
        return token == null ? this : new Key(scope, value, fingerprint, bizId, window, null);
    }

    String scope() {
        return scope;
    }

    String value() {
        return value;
    }

    @Nullable
    Fingerprint fingerprint() {
        return fingerprint;
    }

    @Nullable
    String bizId() {
        return bizId;
    }

    /** Returns how long equal content counts as the same request, for a content key. */
    @Nullable
    Duration window() {
        return window;
    }

    @Nullable
    IssuedToken token() {
        return token;
    }

    /** An issued token and the user it was issued to. */
    record IssuedToken(String value, String user) {}

    /** The key may be personal data; only its record's safe form is shown. */
    @Override
    public String toString() {
        return "Key[" + value.length() + " characters]";
    }

    private void notOfToken(String derivation) {
        if (token != null) {
            throw new IllegalArgumentException(
                    "a token stands for one request, but " + derivation + " makes others of it");
        }
    }

    private static String checked(String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("key must not be blank");
        }
        return printable("key", value);
    }

    private static String printable(String what, String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(what + " has " + text.length() + " characters, more than " + MAX_LENGTH);
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)) {
                throw new IllegalArgumentException(what + " has a control character at " + i);
            }
            if (Character.isSurrogate(c)) {
                if (!Character.isSurrogatePair(c, i + 1 < text.length() ? text.charAt(i + 1) : ' ')) {
                    throw new IllegalArgumentException(what + " has half of a surrogate pair at " + i);
                }
                i++;
            }
        }
        return text;
    }
}
