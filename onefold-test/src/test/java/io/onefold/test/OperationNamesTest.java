package io.onefold.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperationNamesTest {
    private static final OperationNames NAMES = OperationNames.of(Operation.of("refund"), Operation.of("POST /orders"));

    @TempDir
    Path directory;

    @Test
    void a_missing_file_is_written_and_the_test_fails_once() throws IOException {
        Path file = directory.resolve("pins/operations.txt");

        assertThatThrownBy(() -> NAMES.arePinnedIn(file))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("was missing, and is written now with 2 names")
                .hasMessageContaining("commit it");

        assertThat(file).content().isEqualTo("POST /orders\nrefund\n");
        assertThatCode(() -> NAMES.arePinnedIn(file)).doesNotThrowAnyException();
    }

    @Test
    void a_renamed_operation_is_noticed_and_nothing_is_written() throws IOException {
        Path file = Files.writeString(directory.resolve("operations.txt"), "POST /orders\r\npay-back\r\n");

        assertThatThrownBy(() -> NAMES.arePinnedIn(file))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("  - pay-back\n  + refund\n")
                .hasMessageContaining("give the operation its old name");

        assertThat(file).content().contains("pay-back");
    }

    @Test
    void a_new_operation_is_to_be_added() throws IOException {
        Path file = Files.writeString(directory.resolve("operations.txt"), "refund\n");

        assertThatThrownBy(() -> NAMES.arePinnedIn(file))
                .hasMessageContaining("  + POST /orders")
                .hasMessageContaining("change these lines")
                .hasMessageNotContaining("no longer answer");
    }

    @Test
    void nothing_is_pinned_by_no_names() {
        assertThatThrownBy(() -> OperationNames.of(List.of())).hasMessageContaining("no operation names");
    }
}
