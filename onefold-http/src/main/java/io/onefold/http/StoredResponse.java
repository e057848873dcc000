package io.onefold.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer as it is kept: readable for the person who looks at the record, so its body is a text where it is one.
 *
 * @param headers names and values in turn
 * @param text null if the body is not text, or is not there
 * @param bytes null if the body is text, or is not there
 * @param whole false if the body was not kept
 * @param until until when it is replayed, at least, in seconds since 1970 by the clock of who made it: who replays it may keep what it
 *     makes itself for another time
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StoredResponse(
        int status, List<String> headers, @Nullable String text, byte @Nullable [] bytes, boolean whole, long until) {

    private static final char REPLACEMENT = '\uFFFD';

    /** Checks the components, because data from a store is not trusted. */
    public StoredResponse {
        if (headers == null || hasNull(headers) || status < 100 || status > 999) {
            throw new IllegalArgumentException("not an answer");
        }
    }

    private static boolean hasNull(List<String> headers) {
        for (String header : headers) {
            if (header == null) {
                return true;
            }
        }
        return false;
    }

    static StoredResponse of(int status, List<HeaderField> kept, byte @Nullable [] body, long until) {
        List<String> headers = new ArrayList<>(2 * kept.size());
        for (HeaderField field : kept) {
            headers.add(field.name());
            headers.add(field.value());
        }
        String text = body == null ? null : text(body);
        return new StoredResponse(status, headers, text, text == null ? body : null, body != null, until);
    }

    private static @Nullable String text(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) < 0) {
            return text;
        }
        // it stands for what is no text, or was sent
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    byte[] body() {
        if (text != null) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        return bytes == null ? new byte[0] : bytes;
    }

    /** Returns the headers that may be sent. */
    List<HeaderField> fields() {
        List<HeaderField> fields = new ArrayList<>();
        for (int i = 0; i + 1 < headers.size(); i += 2) {
            HeaderField field = new HeaderField(headers.get(i), headers.get(i + 1));
            if (StoredHeaderRules.replayable(field)) {
                fields.add(field);
            }
        }
        return fields;
    }
}
