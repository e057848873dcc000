package io.onefold.payload;

import static io.onefold.payload.UnreadableResultException.UnreadableReason.MALFORMED;
import static io.onefold.payload.UnreadableResultException.UnreadableReason.NEWER_VERSION;
import static io.onefold.payload.UnreadableResultException.UnreadableReason.NOT_SEALED;
import static io.onefold.payload.UnreadableResultException.UnreadableReason.UNKNOWN_CODEC;
import static io.onefold.payload.UnreadableResultException.UnreadableReason.UNKNOWN_KEY;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.store.ResultPayload;
import io.onefold.store.ResultPayload.Kind;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Between a value and what is stored of it. Writing a result never fails an operation that already ran: what cannot be
 * kept is recorded as done and not kept. Reading never guesses: what is not exactly readable is an {@link
 * UnreadableResultException}.
 *
 * <p>Every call takes a context that binds the payload to its record. A seal covers it together with kind, codec and
 * version, so a payload copied to another record is noticed like one that was changed.
 */
public final class ResultSerializer {

    private static final Logger log = LoggerFactory.getLogger(ResultSerializer.class);

    /** Failures and notes are always written by this one, so that they stay readable whatever codec is configured. */
    private static final Codec OWN = new JsonCodec();

    private static final String WAY_OUT =
            "Declare the class that is returned, not a base class or Object; return a record of what duplicates are to get; or ask for no"
                    + " result: maxResultBytes(0).";

    private static final int PLACES = 256;
    private static final int SMALL = 4_096;

    private final Codec writer;
    private final Map<String, Codec> readers;
    private final @Nullable Seal seal;
    private final boolean unsealedAccepted;
    private final Set<String> reported = ConcurrentHashMap.newKeySet();
    private final Set<Type> checked = ConcurrentHashMap.newKeySet();
    private final AtomicReferenceArray<@Nullable DecodedResult> decoded = new AtomicReferenceArray<>(PLACES);

    private ResultSerializer(Codec writer, Map<String, Codec> readers, @Nullable Seal seal, boolean unsealedAccepted) {
        this.writer = writer;
        this.readers = readers;
        this.seal = seal;
        this.unsealedAccepted = unsealedAccepted;
    }

    /** Results written by any other codec than these are not read. */
    public static ResultSerializer with(Codec writer, Codec... alsoReads) {
        Map<String, Codec> readers = new LinkedHashMap<>();
        add(readers, writer);
        Stream.of(alsoReads).forEach(codec -> add(readers, codec));
        return new ResultSerializer(writer, readers, null, false);
    }

    private static void add(Map<String, Codec> readers, Codec codec) {
        if (!codec.id().matches("[a-z0-9-]{1,16}") || codec.version() < 1) {
            throw new IllegalArgumentException("Codec \"" + codec.id() + "\" version " + codec.version()
                    + " needs an id of [a-z0-9-]{1,16} and a version from 1");
        }
        Codec other = readers.putIfAbsent(codec.id(), codec);
        if (other != null) {
            throw new IllegalArgumentException("Two codecs have the id \"" + codec.id() + "\": "
                    + other.getClass().getName() + " and " + codec.getClass().getName());
        }
    }

    public ResultSerializer sealedBy(Seal by) {
        return new ResultSerializer(writer, readers, by, unsealedAccepted);
    }

    /**
     * For the time in which records from before the seal are still kept. As long as it is set, forged ones are read
     * too.
     */
    public ResultSerializer acceptingUnsealed() {
        return new ResultSerializer(writer, readers, seal, true);
    }

    /**
     * Checks a result type; it must be called when an operation is declared. It logs the parts of the type that are
     * known not to be read back.
     *
     * @throws IllegalArgumentException if results of the type could not be written
     */
    public void check(Type type) {
        writer.check(type);
        if (!checked.contains(type) && checked.add(type)) {
            for (String loss : writer.losses(type)) {
                log.warn(
                        "Results of type {} may not be kept: {}. A result that would be read back changed is recorded as done"
                                + " without it. {}",
                        type.getTypeName(),
                        loss,
                        WAY_OUT);
            }
        }
    }

    /**
     * The bytes of a value, which read back as the same value.
     *
     * @throws LossyResultException if they would not; {@link #value} then keeps none, and who has the result in another form can keep that
     */
    public byte[] encode(Object value, Type type) {
        byte[] bytes = writer.encode(value, type);
        readBack(value, type, bytes);
        return bytes;
    }

    private void readBack(Object value, Type type, byte[] bytes) {
        Object copy;
        try {
            copy = writer.decode(bytes, type, writer.version());
        } catch (RuntimeException | LinkageError | AssertionError e) {
            throw new LossyResultException("cannot be read back (" + cause(e) + ")");
        }
        try {
            new StateComparison(writer).compare(value, copy);
        } catch (LossyResultException e) {
            // the value may have computed some of its state while it was written: so does the copy, then
            try {
                writer.encode(copy, type);
            } catch (RuntimeException | LinkageError unwritable) {
                throw e;
            }
            new StateComparison(writer).compare(value, copy);
        }
    }

    private static String cause(Throwable e) {
        return e.getMessage() == null ? e.getClass().getName() : e.getMessage();
    }

    /**
     * The payload of a value, or a note that it was not kept: too large, not read back as it was, or the codec failed. Never throws
     * because of the value.
     */
    public ResultPayload value(@Nullable Object value, Type type, int maxBytes, byte[] context) {
        if (value == null) {
            return sealed(Kind.NOTHING, writer, new byte[0], context);
        }
        if (maxBytes == 0) {
            // not wanted, so that it need not be one that could be written
            return sealed(Kind.NOT_KEPT, writer, new byte[0], context);
        }
        byte[] bytes;
        try {
            bytes = writer.encode(value, type);
            if (bytes.length > maxBytes) {
                return notKept(type, "more than " + maxBytes + " bytes", context);
            }
            readBack(value, type, bytes);
        } catch (LossyResultException e) {
            if (reported.add(type.getTypeName() + e.path())) {
                log.warn(
                        "A result of type {} was not kept: {}. Duplicates will learn that the operation is done, but not its result."
                                + " {} Said once per type and property.",
                        type.getTypeName(),
                        e.getMessage(),
                        WAY_OUT);
            }
            return sealed(Kind.NOT_KEPT, writer, new byte[0], context);
        } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
            return notKept(type, e.getClass().getName(), context);
        }
        return sealed(Kind.VALUE, writer, bytes, context);
    }

    private ResultPayload notKept(Type type, String cause, byte[] context) {
        if (reported.add(type.getTypeName() + cause)) {
            log.error(
                    "A result of type {} was not kept ({}): duplicates will learn that the operation is done, but not its"
                            + " result. Said once per type and cause.",
                    type.getTypeName(),
                    cause);
        }
        return sealed(Kind.NOT_KEPT, writer, new byte[0], context);
    }

    /**
     * The payload of a result that the store refuses: done, and not kept.
     *
     * @param operation what it is a result of
     * @param cause in the store's words
     */
    public ResultPayload refused(String operation, String cause, byte[] context) {
        if (reported.add("refused " + operation)) {
            log.error(
                    "A result of {} was not kept ({}): duplicates will learn that the operation is done, but not its result."
                            + " maxResultBytes says how large results may be. Said once per operation.",
                    operation,
                    cause);
        }
        return sealed(Kind.NOT_KEPT, writer, new byte[0], context);
    }

    public ResultPayload failure(String type, @Nullable String message, @Nullable String data, byte[] context) {
        StoredFailure failure = new StoredFailure(
                repaired(type), message == null ? null : repaired(message), data == null ? null : repaired(data));
        return sealed(Kind.FAILURE, OWN, OWN.encode(failure, StoredFailure.class), context);
    }

    public ResultPayload note(String text, byte[] context) {
        return sealed(Kind.NOTE, OWN, OWN.encode(repaired(text), String.class), context);
    }

    /** Without lone surrogates, which no codec could write: the text is only shown to people. */
    private static String repaired(String text) {
        return new String(text.getBytes(UTF_8), UTF_8);
    }

    /** The value of a payload that holds one or nothing. */
    @SuppressWarnings("ReferenceEquality") // the very same object has the same bytes, without looking at them
    public @Nullable Object read(ResultPayload payload, Type type, byte[] context) {
        if (payload.kind() == Kind.NOTHING) {
            verify(payload, context);
            return null;
        }
        int place = System.identityHashCode(payload) & (PLACES - 1);
        DecodedResult known = decoded.get(place);
        if (known != null && known.payload == payload && known.type.equals(type)) {
            return known.value;
        }
        Codec codec = readers.get(payload.codec());
        Object value = decode(Kind.VALUE, payload, codec, type, context);
        if (value != null && codec != null && payload.bytes().length <= SMALL && codec.isImmutable(type)) {
            decoded.set(place, new DecodedResult(payload, type, value));
        }
        return value;
    }

    /** A value that cannot change, for whoever comes with the very same payload: from memory, that is. */
    private record DecodedResult(ResultPayload payload, Type type, Object value) {}

    public StoredFailure readFailure(ResultPayload payload, byte[] context) {
        return readOwn(Kind.FAILURE, payload, StoredFailure.class, context);
    }

    public String readNote(ResultPayload payload, byte[] context) {
        return readOwn(Kind.NOTE, payload, String.class, context);
    }

    private <T> T readOwn(Kind kind, ResultPayload payload, Class<T> type, byte[] context) {
        Object value = decode(kind, payload, OWN, type, context);
        if (value == null) {
            throw new UnreadableResultException(MALFORMED, "Null where a failure or note was stored");
        }
        return type.cast(value);
    }

    private @Nullable Object decode(
            Kind kind, ResultPayload payload, @Nullable Codec codec, Type type, byte[] context) {
        if (payload.kind() != kind) {
            throw new IllegalArgumentException("Expected a payload of kind " + kind + ", not " + payload.kind());
        }
        if (codec == null || !codec.id().equals(payload.codec())) {
            throw new UnreadableResultException(
                    UNKNOWN_CODEC,
                    "Written by codec \"" + payload.codec() + "\", but only " + readers.keySet() + " may read");
        }
        if (payload.version() > codec.version()) {
            throw new UnreadableResultException(
                    NEWER_VERSION, "Written by " + writer(payload) + "; this release reads up to " + codec.version());
        }
        byte[] plain = open(payload, context);
        try {
            return codec.decode(plain, type, payload.version());
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            throw new UnreadableResultException(
                    MALFORMED, "Not a " + type.getTypeName() + " as " + writer(payload) + " writes it", e);
        }
    }

    private static String writer(ResultPayload payload) {
        return "codec \"" + payload.codec() + "\" version " + payload.version();
    }

    /** Checks the seal of any payload, also of one that holds nothing or was not kept. */
    public void verify(ResultPayload payload, byte[] context) {
        open(payload, context);
    }

    private ResultPayload sealed(Kind kind, Codec codec, byte[] plain, byte[] context) {
        ResultPayload payload = new ResultPayload(kind, codec.id(), codec.version(), null, plain);
        if (seal == null) {
            return payload;
        }
        byte[] sealed = seal.seal(plain, associated(payload, context));
        return new ResultPayload(kind, codec.id(), codec.version(), seal.keyId(), sealed);
    }

    private byte[] open(ResultPayload payload, byte[] context) {
        String keyId = payload.keyId();
        if (keyId == null) {
            if (seal != null && !unsealedAccepted) {
                throw new UnreadableResultException(
                        NOT_SEALED, "Not sealed, though results are sealed by \"" + seal.keyId() + "\"");
            }
            return payload.bytes();
        }
        if (seal == null) {
            throw new UnreadableResultException(UNKNOWN_KEY, "Sealed by \"" + keyId + "\", but no seal is configured");
        }
        return seal.open(keyId, payload.bytes(), associated(payload, context));
    }

    /** With the length of the codec's id: no character can move between it and the context. */
    private static byte[] associated(ResultPayload payload, byte[] context) {
        String codec = payload.codec();
        String head = payload.kind() + ":" + payload.version() + ":" + codec.length() + ":" + codec;
        return HashFunctions.concat(head.getBytes(UTF_8), context);
    }

    /** A failure as it is replayed: facts about the exception, never the exception itself. */
    public record StoredFailure(
            String type, @Nullable String message, @Nullable String data) {}
}
