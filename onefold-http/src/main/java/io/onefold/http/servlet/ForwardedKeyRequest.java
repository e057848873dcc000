package io.onefold.http.servlet;

import io.onefold.http.HeaderField;
import io.onefold.http.HeaderNames;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A request that tells of its key what the application is to know. */
final class ForwardedKeyRequest extends HttpServletRequestWrapper {
    private final List<String> replaced;
    private final @Nullable HeaderField key;

    /**
     * @param replaced headers that are not told as they came
     * @param key what is told in their place; null for nothing
     */
    ForwardedKeyRequest(HttpServletRequest request, List<String> replaced, @Nullable HeaderField key) {
        super(request);
        this.replaced = replaced;
        this.key = key;
    }

    private boolean isReplaced(String name) {
        return replaced.stream().anyMatch(other -> HeaderNames.readAlike(name, other));
    }

    @Override
    public @Nullable String getHeader(String name) {
        if (key != null && key.name().equalsIgnoreCase(name)) {
            return key.value();
        }
        return isReplaced(name) ? null : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        if (key != null && key.name().equalsIgnoreCase(name)) {
            return Collections.enumeration(List.of(key.value()));
        }
        return isReplaced(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(Collections.list(super.getHeaderNames()));
        names.removeIf(this::isReplaced);
        if (key != null) {
            names.add(key.name());
        }
        return Collections.enumeration(names);
    }
}
