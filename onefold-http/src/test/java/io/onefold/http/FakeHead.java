package io.onefold.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that no door has seen. */
record FakeHead(
        String method,
        String path,
        @Nullable String query,
        @Nullable Caller caller,
        List<HeaderField> fields) implements RequestHead {

    static FakeHead post(String path) {
        return new FakeHead("POST", path, null, Caller.ANONYMOUS, List.of());
    }

    FakeHead with(String name, String value) {
        List<HeaderField> more = new ArrayList<>(fields);
        more.add(new HeaderField(name, value));
        return new FakeHead(method, path, query, caller, more);
    }

    FakeHead by(@Nullable Caller other) {
        return new FakeHead(method, path, query, other, fields);
    }

    FakeHead method(String other) {
        return new FakeHead(other, path, query, caller, fields);
    }

    @Override
    public List<String> headers(String name) {
        return fields.stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(HeaderField::value)
                .toList();
    }
}
