package io.onefold.http;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The protection of a route's requests. Immutable; each method returns a changed copy. A setting that is not chosen
 * here comes from the contract's defaults. A setting that is not chosen there either comes from the contract's profile.
 */
public final class HttpPolicy {
    private static final HttpPolicy UNCHANGED = new HttpPolicy();

    @Nullable
    Boolean required;

    @Nullable
    List<KeySource> sources;

    @Nullable
    KeySyntax syntax;

    @Nullable
    Duration keep;

    @Nullable
    Duration retries;

    @Nullable
    Boolean tellKeep;

    @Nullable
    Duration wait;

    @Nullable
    Duration lease;

    @Nullable
    Duration maxRun;

    /** An empty text if answers are replayed. */
    @Nullable
    String rejection;

    @Nullable
    On5xx on5xx;

    @Nullable
    List<Class<? extends Throwable>> retryable;

    @Nullable
    List<Class<? extends Throwable>> fatal;

    @Nullable
    Set<Integer> neverStored;

    @Nullable
    Boolean onlySuccess;

    @Nullable
    Boolean openOnStoreFailure;

    @Nullable
    Integer busyStatus;

    @Nullable
    String busyMessage;

    @Nullable
    Integer unknownStatus;

    @Nullable
    Set<String> storedHeaders;

    @Nullable
    Set<String> comparedHeaders;

    @Nullable
    Set<String> ignoredQuery;

    @Nullable
    BodyRules body;

    @Nullable
    Integer maxHeld;

    @Nullable
    StreamHandling streaming;

    @Nullable
    Boolean storesBody;

    @Nullable
    Boolean safeToRepeat;

    @Nullable
    Boolean waitersShareFailure;

    @Nullable
    Boolean hashKeys;

    @Nullable
    Boolean tokens;

    @Nullable
    Duration contentWindow;

    @Nullable
    KeyForwarding forward;

    @Nullable
    Boolean shadow;

    @Nullable
    Boolean late;

    @Nullable
    Boolean anySlash;

    @Nullable
    Boolean anyCase;

    private HttpPolicy() {}

    /** Nothing is chosen yet. */
    public static HttpPolicy unchanged() {
        return UNCHANGED;
    }

    /** A request without a key is refused instead of passed on. */
    public HttpPolicy required(boolean required) {
        return with(copy -> copy.required = required);
    }

    /** Sets the places that a key may come from. If two places have a key, both keys must be equal. */
    public HttpPolicy key(KeySource... sources) {
        if (sources.length == 0) {
            throw new IllegalArgumentException("key needs at least one source");
        }
        return with(copy -> copy.sources = List.of(sources));
    }

    public HttpPolicy syntax(KeySyntax syntax) {
        return with(copy -> copy.syntax = syntax);
    }

    /** Sets the time for which a response is replayed, counted from its completion. */
    public HttpPolicy keepFor(Duration keep) {
        return with(copy -> copy.keep = keep);
    }

    /**
     * Sets the time for which clients go on repeating a request. The contract then cannot be built with a keep that is
     * shorter than this time and a lease together, because a late retry would be carried out as a new request.
     */
    public HttpPolicy retriesFor(Duration window) {
        if (window.isNegative() || window.isZero()) {
            throw new IllegalArgumentException("retriesFor must be longer than nothing, not " + window);
        }
        return with(copy -> copy.retries = window);
    }

    /** Sets whether responses say until when they are replayed, in {@code Idempotency-Key-Expires}. */
    public HttpPolicy tellKeep(boolean told) {
        return with(copy -> copy.tellKeep = told);
    }

    /** Sets the time for which a duplicate waits for a request in progress. With zero it gets its response at once. */
    public HttpPolicy waitFor(Duration wait) {
        return with(copy -> copy.wait = wait);
    }

    /** See {@link io.onefold.Operation#lease(Duration, Duration)}. */
    public HttpPolicy lease(Duration lease, Duration maxRun) {
        return with(copy -> {
            copy.lease = lease;
            copy.maxRun = maxRun;
        });
    }

    /**
     * Sets the message for a duplicate of a request in progress, if the duplicate does not wait or has waited in vain.
     */
    public HttpPolicy busyMessage(String message) {
        if (message.isBlank()) {
            throw new IllegalArgumentException("busyMessage needs a message");
        }
        return with(copy -> copy.busyMessage = message);
    }

    /** Refuses duplicates with this message instead of replaying the answer to them. */
    public HttpPolicy rejectDuplicates(String message) {
        if (message.isBlank()) {
            throw new IllegalArgumentException("rejectDuplicates needs a message");
        }
        return with(copy -> copy.rejection = message);
    }

    /** Replays the answer to duplicates, where the contract's defaults or its profile would refuse them. */
    public HttpPolicy replayDuplicates() {
        return with(copy -> copy.rejection = "");
    }

    /** Sets the meaning of a response with status 500 or above. */
    public HttpPolicy on5xx(On5xx meaning) {
        return with(copy -> copy.on5xx = meaning);
    }

    /**
     * Nothing was done if the application throws one of these, or one derived from them: the request may be tried again. Where both
     * {@link #failOn} and this name a class, the one that is nearer to what was thrown counts. Only a door that sees exceptions can tell;
     * those that a framework turns into answers do not reach it.
     */
    @SafeVarargs
    public final HttpPolicy retryOn(Class<? extends Throwable>... types) {
        return with(copy -> copy.retryable = List.of(types));
    }

    /** The answer to an exception of these types is kept for every duplicate, whatever its status means otherwise. */
    @SafeVarargs
    public final HttpPolicy failOn(Class<? extends Throwable>... types) {
        return with(copy -> copy.fatal = List.of(types));
    }

    /** Answers of these statuses are not kept, beside those that never are: the request may be tried again. */
    public HttpPolicy neverStore(int... statuses) {
        return with(copy -> {
            Set<Integer> all = new TreeSet<>();
            for (int status : statuses) {
                all.add(status);
            }
            copy.neverStored = Set.copyOf(all);
        });
    }

    /** Only answers from 200 to 299 are kept; after any other the request may be tried again. */
    public HttpPolicy storeOnlySuccess(boolean only) {
        return with(copy -> copy.onlySuccess = only);
    }

    /** Lets requests pass unprotected while the store cannot be reached, instead of refusing them. It is logged and counted. */
    public HttpPolicy openOnStoreFailure(boolean open) {
        return with(copy -> copy.openOnStoreFailure = open);
    }

    /** The status of "it is being handled": 409, 423, 425, 429 or 503. */
    public HttpPolicy busyStatus(int status) {
        if (!Set.of(409, 423, 425, 429, 503).contains(status)) {
            throw new IllegalArgumentException("busyStatus must be 409, 423, 425, 429 or 503, not " + status);
        }
        return with(copy -> copy.busyStatus = status);
    }

    /** The status of "nobody knows": 409, 500 or 503. */
    public HttpPolicy unknownStatus(int status) {
        if (!Set.of(409, 500, 503).contains(status)) {
            throw new IllegalArgumentException("unknownStatus must be 409, 500 or 503, not " + status);
        }
        return with(copy -> copy.unknownStatus = status);
    }

    /** Headers of an answer that are kept beside the usual ones. */
    public HttpPolicy storeHeaders(String... names) {
        Set<String> all = lowerCase(names);
        StoredHeaderRules.check(all);
        return with(copy -> copy.storedHeaders = all);
    }

    /** Headers of a request that belong to what a key stands for, beside the preconditions. */
    public HttpPolicy compareHeaders(String... names) {
        Set<String> all = lowerCase(names);
        return with(copy -> copy.comparedHeaders = all);
    }

    /**
     * Parameters of the query that do not belong to what a key stands for: those that differ from try to try. Names count as they are
     * decoded, in their case. A query that is too long to be read is compared with all that it has.
     */
    public HttpPolicy ignoreQuery(String... names) {
        for (String name : names) {
            if (name.isBlank()) {
                throw new IllegalArgumentException("ignoreQuery needs names of parameters, not \"" + name + "\"");
            }
        }
        Set<String> all = Set.copyOf(new TreeSet<>(List.of(names)));
        return with(copy -> copy.ignoredQuery = all);
    }

    public HttpPolicy body(BodyRules rules) {
        return with(copy -> copy.body = rules);
    }

    /** Sets the number of bytes of a response that are kept. */
    public HttpPolicy maxAnswerBytes(int bytes) {
        if (bytes < 0 || bytes > 64 << 20) {
            throw new IllegalArgumentException("maxAnswerBytes must be between 0 and 64 MiB, not " + bytes);
        }
        return with(copy -> copy.maxHeld = bytes);
    }

    /** Sets the treatment of a response without an end, such as server-sent events. */
    public HttpPolicy streaming(StreamHandling streaming) {
        return with(copy -> copy.streaming = streaming);
    }

    /**
     * Sets whether the body of a response is kept. If it is not, duplicates are told that the request was carried out,
     * and where the result is.
     */
    public HttpPolicy storeBody(boolean stored) {
        return with(copy -> copy.storesBody = stored);
    }

    /** See {@link io.onefold.Operation#safeToRepeat()}. */
    public HttpPolicy safeToRepeat(boolean safe) {
        return with(copy -> copy.safeToRepeat = safe);
    }

    /** See {@link io.onefold.Operation#waitersShareFailure()}. */
    public HttpPolicy waitersShareFailure(boolean shared) {
        return with(copy -> copy.waitersShareFailure = shared);
    }

    /** Lets the store see only the hash of keys. */
    public HttpPolicy hashKeys(boolean hashed) {
        return with(copy -> copy.hashKeys = hashed);
    }

    /** Requests pass as they are, and what would become of them is told to the log; see {@link io.onefold.Shadow}. */
    public HttpPolicy shadow(boolean shadow) {
        return with(copy -> copy.shadow = shadow);
    }

    /** The key must be a token that was issued to the caller for this operation. */
    public HttpPolicy tokens(boolean tokens) {
        return with(copy -> copy.tokens = tokens);
    }

    /** A request without a key is taken for the same as an equal one within this time. Two honest equal requests are one, too. */
    public HttpPolicy contentKey(Duration window) {
        return with(copy -> copy.contentWindow = window);
    }

    /** Sets the form in which the key is sent on to the service behind the adapter. */
    public HttpPolicy forward(KeyForwarding forward) {
        return with(copy -> copy.forward = forward);
    }

    /** Requests are claimed by their handler, which alone knows the key: see {@link HandlerClaim}. Only handlers of this program can. */
    public HttpPolicy claimedByHandler() {
        return with(copy -> copy.late = true);
    }

    /**
     * Sets whether the route also covers its path with or without a slash at the end. By default it does, because many
     * services treat both as one path. A route that names such a path itself takes precedence.
     */
    public HttpPolicy ignoreTrailingSlash(boolean ignored) {
        return with(copy -> copy.anySlash = ignored);
    }

    /**
     * Sets whether the route also covers its path in another case. By default it does; see
     * {@link #ignoreTrailingSlash}.
     */
    public HttpPolicy ignoreCase(boolean ignored) {
        return with(copy -> copy.anyCase = ignored);
    }

    /** No key stands in the request itself. */
    public HttpPolicy withoutKeySource() {
        return with(copy -> copy.sources = List.of());
    }

    /** This policy, and the other where this one chooses nothing. */
    HttpPolicy over(HttpPolicy other) {
        HttpPolicy both = new HttpPolicy();
        both.required = either(required, other.required);
        both.sources = either(sources, other.sources);
        both.syntax = either(syntax, other.syntax);
        both.keep = either(keep, other.keep);
        both.retries = either(retries, other.retries);
        both.tellKeep = either(tellKeep, other.tellKeep);
        both.wait = either(wait, other.wait);
        both.lease = either(lease, other.lease);
        both.maxRun = either(maxRun, other.maxRun);
        both.rejection = either(rejection, other.rejection);
        both.on5xx = either(on5xx, other.on5xx);
        both.retryable = either(retryable, other.retryable);
        both.fatal = either(fatal, other.fatal);
        both.neverStored = either(neverStored, other.neverStored);
        both.onlySuccess = either(onlySuccess, other.onlySuccess);
        both.openOnStoreFailure = either(openOnStoreFailure, other.openOnStoreFailure);
        both.busyStatus = either(busyStatus, other.busyStatus);
        both.busyMessage = either(busyMessage, other.busyMessage);
        both.unknownStatus = either(unknownStatus, other.unknownStatus);
        both.storedHeaders = either(storedHeaders, other.storedHeaders);
        both.comparedHeaders = either(comparedHeaders, other.comparedHeaders);
        both.ignoredQuery = either(ignoredQuery, other.ignoredQuery);
        both.body = either(body, other.body);
        both.maxHeld = either(maxHeld, other.maxHeld);
        both.streaming = either(streaming, other.streaming);
        both.storesBody = either(storesBody, other.storesBody);
        both.safeToRepeat = either(safeToRepeat, other.safeToRepeat);
        both.waitersShareFailure = either(waitersShareFailure, other.waitersShareFailure);
        both.hashKeys = either(hashKeys, other.hashKeys);
        both.tokens = either(tokens, other.tokens);
        both.contentWindow = either(contentWindow, other.contentWindow);
        both.forward = either(forward, other.forward);
        both.shadow = either(shadow, other.shadow);
        both.late = either(late, other.late);
        both.anySlash = either(anySlash, other.anySlash);
        both.anyCase = either(anyCase, other.anyCase);
        return both;
    }

    private static <T> @Nullable T either(@Nullable T first, @Nullable T second) {
        return first == null ? second : first;
    }

    private HttpPolicy with(Consumer<HttpPolicy> edit) {
        HttpPolicy copy = over(UNCHANGED);
        edit.accept(copy);
        return copy;
    }

    private static Set<String> lowerCase(String... names) {
        Set<String> all = new TreeSet<>();
        for (String name : names) {
            all.add(Objects.requireNonNull(name).toLowerCase(Locale.ROOT));
        }
        return Set.copyOf(all);
    }

    /** The meaning of a response with status 500 or above. */
    public enum On5xx {
        /** It is the answer, for every duplicate. */
        REPLAY,
        /** Nothing was done: the request may be tried again. */
        RETRY,
        /** Nobody knows. */
        UNKNOWN
    }

    /** The treatment of a response without an end. */
    public enum StreamHandling {
        /** The first caller gets it; duplicates hear that it was done. */
        TOMBSTONE,
        /** A request that asks for one is refused. */
        REJECT,
        /** A request that asks for one passes unprotected. */
        BYPASS
    }

    /** The form in which the key is sent on to the service behind the adapter. */
    public enum KeyForwarding {
        ORIGINAL,
        DERIVED,
        STRIP
    }
}
