package io.onefold.http.servlet;

import io.onefold.http.BodyPart;
import io.onefold.http.BufferedBody;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A part as the application knows them. */
final class ProtectedServletPart implements Part {
    private final BodyPart part;

    private ProtectedServletPart(BodyPart part) {
        this.part = part;
    }

    /** Returns the parts that have a name, as containers do. */
    static List<Part> of(BufferedBody body) throws IOException {
        List<Part> all = new ArrayList<>();
        for (BodyPart part : body.parts()) {
            if (part.name() != null) {
                all.add(new ProtectedServletPart(part));
            }
        }
        return all;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return part.open();
    }

    @Override
    public @Nullable String getContentType() {
        return part.type();
    }

    @Override
    public String getName() {
        return Objects.requireNonNull(part.name());
    }

    @Override
    public @Nullable String getSubmittedFileName() {
        return part.fileName();
    }

    @Override
    public long getSize() {
        return part.size();
    }

    /** An absolute path, or one within the directory for temporary files: a container's own place for uploads is not known here. */
    @Override
    public void write(String fileName) throws IOException {
        Path to = Path.of(System.getProperty("java.io.tmpdir")).resolve(fileName);
        try (InputStream content = part.open()) {
            Files.copy(content, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** It goes with its request. */
    @Override
    public void delete() {}

    @Override
    public @Nullable String getHeader(String name) {
        return part.headers().get(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public Collection<String> getHeaders(String name) {
        String value = getHeader(name);
        return value == null ? List.of() : List.of(value);
    }

    @Override
    public Collection<String> getHeaderNames() {
        return part.headers().keySet();
    }
}
