package io.onefold.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** Answers are kept as they are without a coding: whoever asks next may not understand it. */
final class Coding {
    private Coding() {}

    /** Null if there is none. */
    static @Nullable String of(List<Field> headers) {
        for (Field field : headers) {
            String value = field.value().strip().toLowerCase(Locale.ROOT);
            if (field.name().equalsIgnoreCase("Content-Encoding") && !value.equals("identity") && !value.isEmpty()) {
                return value;
            }
        }
        return null;
    }

    /** Null if the coding is not known, its bytes are broken, or there are too many of them. */
    static byte @Nullable [] decoded(Produced produced, int max) {
        InputStream coded = new ByteArrayInputStream(produced.body());
        try (InputStream plain = plain(String.valueOf(of(produced.headers())), coded)) {
            if (plain == null) {
                return null;
            }
            byte[] bytes = plain.readNBytes(max + 1);
            return bytes.length > max ? null : bytes;
        } catch (IOException e) {
            return null;
        }
    }

    private static @Nullable InputStream plain(String coding, InputStream coded) throws IOException {
        return switch (coding) {
            case "gzip", "x-gzip" -> new GZIPInputStream(coded);
            case "deflate" -> new InflaterInputStream(coded);
            default -> null;
        };
    }
}
