package io.onefold.http;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a body piece by piece, refuses it as soon as it is too large, and keeps it for handling (H12, H13). Closing it, which any
 * thread may do at any time, gives up the body too.
 */
public final class BodySpool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BodySpool.class);
    private static final long NOT_ANNOUNCED = -1;

    private final BodyRules rules;
    private final @Nullable ParameterizedHeader type;
    private final ContentCodings codings;
    private long announced;
    private final BodyBuffer held;
    /** Null for what is likely to be compared otherwise. */
    private final @Nullable MessageDigest digest;

    private @Nullable ProblemException rejection;

    BodySpool(BodyRules rules, RequestHead head, BodyMemoryLimit memory, Path directory) throws ProblemException {
        this.rules = rules;
        this.announced = announced(head);
        if (announced > rules.max) {
            throw tooLarge();
        }
        this.type = type(head.headers("Content-Type"));
        if (type != null
                && type.main().startsWith("multipart/")
                && rules.multipart == BodyRules.MultipartHandling.REJECT) {
            throw new ProblemException(new Problem(
                    Problem.ProblemType.NOT_SUPPORTED, 415, "Multipart bodies are not taken together with a key here"));
        }
        this.codings = ContentCodings.of(head);
        this.held = new BodyBuffer(rules.memory, memory, directory);
        this.digest = SpooledBody.isTree(type) ? null : Sha256Digest.start();
    }

    private static long announced(RequestHead head) throws ProblemException {
        List<String> lines = head.headers("Content-Length");
        if (lines.isEmpty()) {
            return NOT_ANNOUNCED;
        }
        if (!head.headers("Transfer-Encoding").isEmpty()) {
            throw invalid("Content-Length and Transfer-Encoding contradict each other");
        }
        long length = NOT_ANNOUNCED;
        if (lines.size() == 1 && lines.get(0).indexOf(',') < 0) {
            return length(lines.get(0).strip());
        }
        for (String each : String.join(",", lines).split(",", -1)) {
            long other = length(each.strip());
            if (length != NOT_ANNOUNCED && length != other) {
                throw invalid("There are different values of Content-Length");
            }
            length = other;
        }
        return length;
    }

    private static long length(String text) throws ProblemException {
        if (text.isEmpty() || !CharacterRules.all(text, c -> c >= '0' && c <= '9')) {
            throw invalid("Content-Length must be a number of bytes");
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    private static @Nullable ParameterizedHeader type(List<String> lines) throws ProblemException {
        if (lines.size() > 1) {
            throw invalid("There are " + lines.size() + " lines of Content-Type; one is allowed");
        }
        if (lines.isEmpty() || lines.get(0).isBlank()) {
            return null;
        }
        ParameterizedHeader type = ParameterizedHeader.parse(lines.get(0));
        if (type == null || !isType(type.main())) {
            throw invalid("Content-Type must be one type such as application/json, with each parameter once");
        }
        return type;
    }

    /** Returns true if it has exactly one slash, with something before and after it. */
    private static boolean isType(String main) {
        int slash = main.indexOf('/');
        return slash > 0 && slash < main.length() - 1 && main.indexOf('/', slash + 1) < 0;
    }

    /** Negative if it was not said how long the body is. */
    long announced() {
        return announced;
    }

    public void write(byte[] bytes, int from, int length) throws ProblemException {
        Objects.checkFromIndexSize(from, length, bytes.length);
        if (rejection != null) {
            throw rejection;
        }
        if (length > rules.max - held.length()) {
            throw refused(tooLarge());
        }
        if (announced != NOT_ANNOUNCED && length > announced - held.length()) {
            throw refused(invalid("The body is longer than its Content-Length"));
        }
        try {
            held.add(bytes, from, length);
        } catch (IOException e) {
            throw refused(notHeld(e));
        }
        if (digest != null) {
            digest.update(bytes, from, length);
        }
    }

    /** A whole body, in place of the one that was announced and that somebody else has taken. */
    public void writeInstead(byte[] body) throws ProblemException {
        announced = body.length;
        write(body, 0, body.length);
    }

    /** Ends the body and returns it. Call this once, after the last byte. */
    SpooledBody done() throws ProblemException {
        if (rejection != null) {
            throw rejection;
        }
        if (held.length() < announced) {
            throw refused(invalid("The body is shorter than its Content-Length"));
        }
        try {
            held.checkOpen();
        } catch (IOException e) {
            throw refused(notHeld(e));
        }
        return new SpooledBody(rules, type, codings, held, digest == null ? null : digest.digest());
    }

    private ProblemException refused(ProblemException because) {
        rejection = because;
        held.close();
        return because;
    }

    ProblemException tooLarge() {
        return new ProblemException(
                Problem.ProblemType.BODY_TOO_LARGE,
                "The body has more than the " + rules.max + " bytes that are allowed");
    }

    /**
     * Returns the problem for a body that could not be held. The message of the file system goes to the log only,
     * because it describes this machine.
     */
    static ProblemException notHeld(IOException cause) {
        if (cause instanceof InvalidBodyException unfit) {
            return unfit.rejection();
        }
        LOG.warn("A body could not be kept for handling: {}", cause.toString());
        return new ProblemException(Problem.ProblemType.OVERLOADED, "The body could not be kept for handling");
    }

    private static ProblemException invalid(String detail) {
        return new ProblemException(Problem.ProblemType.BODY_INVALID, detail);
    }

    @Override
    public void close() {
        held.close();
    }
}
