package io.onefold.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request before its body is read, as an adapter describes it. */
public interface RequestHead {
    String method();

    /** The path as it was sent: not decoded, and without the query. */
    String path();

    /** The path as it is compared: with what an engine keeps from the path that it goes by, such as parameters after semicolons. */
    default String comparedPath() {
        return path();
    }

    /** The query as it was sent, without the question mark; null if there is none. */
    @Nullable
    String query();

    /** The lines of this name, in any case, one by one: lines that a container would join or hide are told apart. */
    List<String> headers(String name);

    /** The caller; null if nobody was authenticated though authentication is required. */
    @Nullable
    Caller caller();
}
