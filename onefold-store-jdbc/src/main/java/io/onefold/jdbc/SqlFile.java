package io.onefold.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements of one database by their names, as they stand in its file: each after a line {@code --: name}. */
final class SqlFile {
    private static final String NAME = "--: ";

    private final Map<String, String> statements = new LinkedHashMap<>();

    /** Later files replace statements of earlier ones. */
    static SqlFile load(String... files) {
        SqlFile sql = new SqlFile();
        for (String file : files) {
            sql.read(text(file));
        }
        return sql;
    }

    private void read(String text) {
        String name = null;
        StringBuilder statement = new StringBuilder();
        for (String line : text.lines().toList()) {
            if (line.startsWith(NAME)) {
                put(name, statement);
                name = line.substring(NAME.length()).trim();
                statement.setLength(0);
            } else if (!line.strip().startsWith("--")) {
                statement.append(line.strip()).append(' ');
            }
        }
        put(name, statement);
    }

    private void put(@Nullable String name, StringBuilder statement) {
        if (name != null) {
            statements.put(name, statement.toString().strip());
        }
    }

    String get(String name) {
        String statement = statements.get(name);
        if (statement == null) {
            throw new IllegalArgumentException("no statement is named " + name);
        }
        return statement;
    }

    static String text(String file) {
        try (InputStream in = SqlFile.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing from the jar");
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
