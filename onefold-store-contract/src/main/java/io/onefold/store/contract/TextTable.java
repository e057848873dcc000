package io.onefold.store.contract;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads a table as one would write it down: column names, then rows that begin with their own. */
final class TextTable {
    private TextTable() {}

    record TableCell(String row, String column, String entry) {}

    static Stream<TableCell> cells(String text) {
        List<List<String>> lines = text.lines()
                .map(line -> Arrays.asList(line.strip().split("\\s+")))
                .toList();
        List<String> columns = lines.get(0);
        return lines.stream()
                .skip(1)
                .flatMap(line -> IntStream.range(0, columns.size())
                        .mapToObj(i -> new TableCell(line.get(0), columns.get(i), line.get(i + 1))));
    }
}
