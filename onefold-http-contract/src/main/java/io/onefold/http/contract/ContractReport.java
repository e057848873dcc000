package io.onefold.http.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The results of all rows through all adapters, as one table. Each run of the cases leaves a file for its adapter under
 * {@code target/http-contract}. This command merges the files of several modules:
 *
 * <pre>{@code
 * java -cp onefold-http-contract.jar io.onefold.http.contract.ContractReport [module]...
 * }</pre>
 *
 * It exits with 1 if there is no adapter, or a row failed or was not run.
 */
public final class ContractReport {
    static final String FAILED = "FAILED";
    static final String NOT_RUN = "NOT RUN";

    private static final Path PARTS = Path.of("target", "http-contract");
    private static final String SUFFIX = ".tsv";
    private static final String HEAD = "| row | about |";

    private ContractReport() {}

    public static void main(String[] modules) throws IOException {
        List<Path> directories = new ArrayList<>();
        for (String module : modules) {
            directories.add(Path.of(module).resolve(PARTS));
        }
        List<String> table = table(directories);
        for (String line : table) {
            System.out.println(line);
        }
        if (!holds(table)) {
            System.exit(1);
        }
    }

    /** Returns true if there is an adapter, and every row was run through every adapter and holds. */
    static boolean holds(List<String> table) {
        return !table.get(0).equals(HEAD)
                && table.stream().noneMatch(line -> line.contains(FAILED) || line.contains(NOT_RUN));
    }

    /** Returns the directory with the files of this module's adapters. */
    static Path parts() {
        return PARTS;
    }

    static void write(String door, Map<String, String> rows) throws IOException {
        List<String> lines = new ArrayList<>();
        rows.forEach((row, result) -> lines.add(row + "\t" + result));
        Files.write(PARTS.resolve(door + SUFFIX), lines, UTF_8);
    }

    /** Returns the table: a line for each row, a column for each adapter. */
    static List<String> table(List<Path> directories) throws IOException {
        Map<String, Map<String, String>> doors = new TreeMap<>();
        for (Path directory : directories) {
            if (Files.isDirectory(directory)) {
                read(directory, doors);
            }
        }
        List<String> table = new ArrayList<>();
        StringBuilder head = new StringBuilder(HEAD);
        doors.keySet().forEach(door -> head.append(' ').append(door).append(" |"));
        table.add(head.toString());
        table.add("|---|---|" + "---|".repeat(doors.size()));
        ContractRows.titles().forEach((row, about) -> {
            StringBuilder line = new StringBuilder("| " + row + " | " + about + " |");
            doors.values()
                    .forEach(column -> line.append(' ')
                            .append(column.getOrDefault(row, NOT_RUN))
                            .append(" |"));
            table.add(line.toString());
        });
        return table;
    }

    private static void read(Path directory, Map<String, Map<String, String>> doors) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(SUFFIX)).toList()) {
                Map<String, String> column = new HashMap<>();
                for (String line : Files.readAllLines(file, UTF_8)) {
                    column.put(line.substring(0, line.indexOf('\t')), line.substring(line.indexOf('\t') + 1));
                }
                String name = file.getFileName().toString();
                doors.put(name.substring(0, name.length() - SUFFIX.length()), column);
            }
        }
    }
}
