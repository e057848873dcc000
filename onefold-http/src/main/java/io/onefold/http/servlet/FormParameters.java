package io.onefold.http.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.UnsupportedEncodingException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Forms and queries as containers read them: with the charset of the request, and a pair that is broken is not there. */
final class FormParameters {
    private FormParameters() {}

    static boolean is(HttpServletRequest request) {
        return mediaType(request).equals("application/x-www-form-urlencoded");
    }

    static String mediaType(HttpServletRequest request) {
        String type = request.getContentType();
        if (type == null) {
            return "";
        }
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    /** Returns the charset of the body; queries have UTF-8. */
    static Charset charset(HttpServletRequest request) {
        String name = request.getCharacterEncoding();
        try {
            return name == null ? StandardCharsets.UTF_8 : Charset.forName(name);
        } catch (IllegalArgumentException e) {
            return StandardCharsets.UTF_8;
        }
    }

    /** Returns the charset in which containers read a body that is requested as text. */
    static Charset readerCharset(HttpServletRequest request) throws UnsupportedEncodingException {
        String name = request.getCharacterEncoding();
        try {
            return name == null ? StandardCharsets.ISO_8859_1 : Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw new UnsupportedEncodingException(name);
        }
    }

    /**
     * @param text one character for each byte
     */
    static void read(String text, Charset charset, Map<String, List<String>> into) {
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decoded(equals < 0 ? pair : pair.substring(0, equals), charset);
            String value = equals < 0 ? "" : decoded(pair.substring(equals + 1), charset);
            if (!pair.isEmpty() && name != null && value != null) {
                into.computeIfAbsent(name, same -> new ArrayList<>()).add(value);
            }
        }
    }

    /** Null if it is broken. */
    private static @Nullable String decoded(String text, Charset charset) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
                int low = high < 0 ? -1 : Character.digit(text.charAt(i + 2), 16);
                if (low < 0) {
                    return null;
                }
                bytes.write(high << 4 | low);
                i += 2;
            } else {
                bytes.write(c == '+' ? ' ' : c);
            }
        }
        try {
            return charset.newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** The body that was, of a form that somebody has asked for parameters before: those that the query has not. */
    static byte[] written(HttpServletRequest request) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        if (request.getQueryString() != null) {
            read(request.getQueryString(), StandardCharsets.UTF_8, query);
        }
        Charset charset = charset(request);
        StringBuilder body = new StringBuilder();
        request.getParameterMap().forEach((name, values) -> {
            // containers have those of the query first
            for (int i = query.getOrDefault(name, List.of()).size(); i < values.length; i++) {
                body.append(body.length() == 0 ? "" : "&")
                        .append(URLEncoder.encode(name, charset))
                        .append('=')
                        .append(URLEncoder.encode(values[i], charset));
            }
        });
        return body.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
