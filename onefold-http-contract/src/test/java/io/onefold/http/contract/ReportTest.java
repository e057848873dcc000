package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a report says of doors that did not run, or in which a row does not hold. */
class ReportTest {
    @TempDir
    private Path parts;

    @Test
    void without_a_door_nothing_holds() throws IOException {
        assertThat(ContractReport.holds(ContractReport.table(List.of()))).isFalse();
        assertThat(ContractReport.holds(ContractReport.table(List.of(parts)))).isFalse();
    }

    @Test
    void a_door_holds_if_every_row_does() throws IOException {
        write("filter", "ok");
        List<String> table = ContractReport.table(List.of(parts));
        assertThat(table.get(0)).isEqualTo("| row | about | filter |");
        assertThat(ContractReport.holds(table)).isTrue();
        write("gateway", ContractReport.FAILED);
        assertThat(ContractReport.holds(ContractReport.table(List.of(parts)))).isFalse();
    }

    @Test
    void a_row_that_was_not_run_does_not_hold() throws IOException {
        Files.writeString(parts.resolve("filter.tsv"), "H01\tok\n");
        assertThat(ContractReport.holds(ContractReport.table(List.of(parts)))).isFalse();
    }

    private void write(String door, String result) throws IOException {
        Files.writeString(
                parts.resolve(door + ".tsv"),
                ContractRows.titles().keySet().stream()
                        .map(row -> row + "\t" + result + "\n")
                        .collect(Collectors.joining()));
    }
}
