package io.onefold.server.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A section of the configuration: names and their values. A name may be written in parts, {@code key: {sources: …}}, or
 * as one, {@code key.sources: …}. A name is allowed once it was read: {@link #done()} rejects all others.
 */
final class ConfigSection {
    private final String file;
    private final String place;
    private final Map<String, ConfigValue> entries;
    private final String prefix;
    private final TreeSet<String> asked = new TreeSet<>();

    private ConfigSection(String file, String place, Map<String, ConfigValue> entries, String prefix) {
        this.file = file;
        this.place = place;
        this.entries = entries;
        this.prefix = prefix;
    }

    /** @param node null for an empty file */
    static ConfigSection of(String file, @Nullable Node node) {
        Map<String, ConfigValue> entries = new LinkedHashMap<>();
        if (node != null) {
            flatten(file, node, "", entries);
        }
        return new ConfigSection(file, node == null ? file : where(file, node), entries, "");
    }

    private static void flatten(String file, Node node, String prefix, Map<String, ConfigValue> entries) {
        if (!(node instanceof MappingNode mapping)) {
            throw new ConfigException(
                    where(file, node) + ": names with values are expected here, such as \"keep: 24h\"");
        }
        for (NodeTuple tuple : mapping.getValue()) {
            Node key = tuple.getKeyNode();
            if (!(key instanceof ScalarNode scalar)) {
                throw new ConfigException(where(file, key) + ": a name is expected here");
            }
            String name = prefix + scalar.getValue();
            if (tuple.getValueNode() instanceof MappingNode inner) {
                flatten(file, inner, name + ".", entries);
                continue;
            }
            ConfigValue earlier = entries.putIfAbsent(name, new ConfigValue(tuple.getValueNode(), where(file, key)));
            if (earlier != null) {
                throw new ConfigException(
                        where(file, key) + ": \"" + name + "\" is there already, at " + earlier.where());
            }
        }
    }

    private static String where(String file, Node node) {
        return file + ":" + (node.getStartMark().getLine() + 1);
    }

    /** Replaces the file's value with one from the command line. */
    void override(String name, String option, String text) {
        entries.put(name, new ConfigValue(scalar(text), option));
    }

    private static ScalarNode scalar(String text) {
        return new ScalarNode(Tag.STR, text, null, null, ScalarStyle.PLAIN);
    }

    /** Returns the section with the names that begin with this one. */
    ConfigSection inner(String name) {
        asked.add(name + ".");
        return new ConfigSection(file, place, entries, prefix + name + ".");
    }

    /** Returns the place of a value, for messages; the beginning of the section, if there is no value. */
    String where(String name) {
        ConfigValue entry = entries.get(prefix + name);
        return entry == null ? place : entry.where();
    }

    /** Returns the place of a value together with its name. */
    String place(String name) {
        return named(where(name), name);
    }

    /** Adds the name to a place, except for an option of the command line, which is the name already. */
    private static String named(String where, String name) {
        return where.equals("--" + name) ? where : where + ": " + name;
    }

    boolean has(String name) {
        return entry(name) != null;
    }

    private @Nullable ConfigValue entry(String name) {
        asked.add(name);
        return entries.get(prefix + name);
    }

    <T> @Nullable T value(String name, Function<String, T> parse) {
        ConfigValue entry = entry(name);
        if (entry == null) {
            return null;
        }
        if (entry.node() instanceof SequenceNode) {
            throw new ConfigException(named(entry.where(), name) + " takes one value, not a list");
        }
        return parsed(name, entry.where(), entry.node(), parse);
    }

    private <T> T parsed(String name, String where, Node node, Function<String, T> parse) {
        String said = node instanceof ScalarNode scalar ? scalar.getValue() : "";
        if (said.isBlank()) {
            throw new ConfigException(named(where, name) + " has no value");
        }
        String filled;
        try {
            filled = EnvironmentValues.fill(said);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(named(where, name) + ": " + e.getMessage());
        }
        return parsed(name, where, said, filled, parse);
    }

    /**
     * @param said the text as written; messages quote this
     * @param filled the text with values from the environment, which may be secret
     */
    private static <T> T parsed(String name, String where, String said, String filled, Function<String, T> parse) {
        try {
            return parse.apply(filled);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ConfigException(named(where, name) + ": "
                    + (EnvironmentValues.fills(said) ? unfilled(said, parse) : e.getMessage()));
        }
    }

    /** Describes an error in a value without any text from the environment. */
    private static String unfilled(String said, Function<String, ?> parse) {
        try {
            var unused = parse.apply(said);
        } catch (IllegalArgumentException | ArithmeticException e) {
            return "as the environment fills it in, " + e.getMessage();
        }
        return "\"" + said + "\" is not allowed as the environment fills it in";
    }

    /** Returns the text as written, without values from the environment. */
    @Nullable
    String said(String name) {
        ConfigValue entry = entry(name);
        return entry != null && entry.node() instanceof ScalarNode scalar ? scalar.getValue() : null;
    }

    @Nullable
    String text(String name) {
        return value(name, text -> text);
    }

    @Nullable
    Duration duration(String name) {
        return value(name, UnitParser::duration);
    }

    @Nullable
    Long bytes(String name) {
        return value(name, UnitParser::bytes);
    }

    @Nullable
    Integer number(String name) {
        return value(name, text -> {
            try {
                return Integer.valueOf(text.trim());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("\"" + text + "\" is not a whole number", e);
            }
        });
    }

    @Nullable
    Boolean flag(String name) {
        return value(name, text -> switch (text.trim().toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default -> throw new IllegalArgumentException("\"" + text + "\" is neither true nor false");
        });
    }

    <E extends Enum<E>> @Nullable E choice(String name, Class<E> type) {
        return value(name, text -> {
            for (E constant : type.getEnumConstants()) {
                if (word(constant).equals(text.trim().toLowerCase(Locale.ROOT))) {
                    return constant;
                }
            }
            List<String> words = Arrays.stream(type.getEnumConstants())
                    .map(ConfigSection::word)
                    .toList();
            throw new IllegalArgumentException("\"" + text + "\" is not one of " + String.join(", ", words));
        });
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the items of a list; a single value is a list of one, and commas separate items as well. */
    <T> @Nullable List<T> list(String name, Function<String, T> parse) {
        ConfigValue entry = entry(name);
        if (entry == null) {
            return null;
        }
        List<T> items = new ArrayList<>();
        if (entry.node() instanceof SequenceNode sequence) {
            for (Node node : sequence.getValue()) {
                items.add(parsed(name, where(file, node), node, parse));
            }
        } else {
            String said = String.valueOf(said(name));
            for (String part : parsed(name, entry.where(), entry.node(), text -> text.split(",", -1))) {
                if (part.isBlank()) {
                    throw new ConfigException(named(entry.where(), name) + " has no value");
                }
                String shown = EnvironmentValues.fills(said) ? said : part.trim();
                items.add(parsed(name, entry.where(), shown, part.trim(), parse));
            }
        }
        return List.copyOf(items);
    }

    /** Returns the items of a list, each a section of its own. */
    List<ConfigSection> sections(String name) {
        for (Map.Entry<String, ConfigValue> inner : entries.entrySet()) {
            if (inner.getKey().startsWith(prefix + name + ".")) {
                throw noList(inner.getValue(), name);
            }
        }
        ConfigValue entry = entry(name);
        if (entry == null) {
            return List.of();
        }
        if (!(entry.node() instanceof SequenceNode sequence)) {
            throw noList(entry, name);
        }
        return sequence.getValue().stream().map(node -> of(file, node)).toList();
    }

    private static ConfigException noList(ConfigValue entry, String name) {
        return new ConfigException(named(entry.where(), name) + " is a list: each item begins with \"- \"");
    }

    /** Runs a step, and reports its error with the place of this value. */
    <T> T checked(String name, Supplier<T> step) {
        try {
            return step.get();
        } catch (IllegalArgumentException | ArithmeticException e) {
            ConfigValue entry = entries.get(prefix + name);
            String why = entry != null && fills(entry.node())
                    ? "this is not allowed as the environment fills it in"
                    : e.getMessage();
            throw new ConfigException(place(name) + ": " + why);
        }
    }

    private static boolean fills(Node node) {
        return node instanceof SequenceNode sequence
                ? sequence.getValue().stream().anyMatch(ConfigSection::fills)
                : node instanceof ScalarNode scalar && EnvironmentValues.fills(scalar.getValue());
    }

    private static boolean empty(Node node) {
        return node instanceof ScalarNode scalar && scalar.getValue().isEmpty();
    }

    /** Rejects every name that was not read. */
    void done() {
        for (Map.Entry<String, ConfigValue> entry : entries.entrySet()) {
            String name = entry.getKey();
            if (!name.startsWith(prefix)) {
                continue;
            }
            String own = name.substring(prefix.length());
            if (empty(entry.getValue().node()) && asked.stream().anyMatch(one -> one.startsWith(own + "."))) {
                continue; // a section may be empty
            }
            if (!asked.contains(own) && asked.stream().noneMatch(one -> one.endsWith(".") && own.startsWith(one))) {
                List<String> allowed = asked.stream()
                        .map(one -> one.endsWith(".") ? one.substring(0, one.length() - 1) : one)
                        .toList();
                throw new ConfigException(entry.getValue().where() + ": there is no \"" + own + "\"; allowed are "
                        + String.join(", ", allowed));
            }
        }
    }
}
