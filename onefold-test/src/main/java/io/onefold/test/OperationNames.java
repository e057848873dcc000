package io.onefold.test;

import io.onefold.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The names of an application's operations, for comparison with those in a committed file. Records are kept under these
 * names: after a renaming, records of the old name are no longer found. The file has one name on each line, sorted.
 *
 * <pre>{@code
 * OperationNames.of(PAY, REFUND).arePinnedIn(Path.of("src/test/resources/operations.txt"));
 * }</pre>
 */
public final class OperationNames {
    private final NavigableSet<String> names;

    private OperationNames(Collection<String> names) {
        this.names = new TreeSet<>(names);
        if (this.names.isEmpty()) {
            throw new IllegalArgumentException("there are no operation names to pin");
        }
    }

    public static OperationNames of(Collection<String> names) {
        return new OperationNames(names);
    }

    public static OperationNames of(Operation<?>... operations) {
        return new OperationNames(Arrays.stream(operations).map(Operation::name).toList());
    }

    /**
     * Fails if they are not those in the file, or if there is none: then it is written, to be looked at and committed.
     */
    public void arePinnedIn(Path file) {
        NavigableSet<String> pinned = new TreeSet<>();
        try {
            Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .forEach(pinned::add);
        } catch (NoSuchFileException e) {
            write(file);
            throw new AssertionError(file + " was missing, and is written now with " + names.size()
                    + " names of operations: look at it and commit it");
        } catch (IOException e) {
            throw new UncheckedIOException(file + " could not be read", e);
        }
        if (!pinned.equals(names)) {
            throw new AssertionError(difference(file, pinned));
        }
    }

    private String difference(Path file, NavigableSet<String> pinned) {
        NavigableSet<String> gone = new TreeSet<>(pinned);
        gone.removeAll(names);
        NavigableSet<String> added = new TreeSet<>(names);
        added.removeAll(pinned);
        StringBuilder message = new StringBuilder("the names of operations are not those in " + file);
        gone.forEach(name -> message.append("\n  - ").append(name));
        added.forEach(name -> message.append("\n  + ").append(name));
        if (!gone.isEmpty()) {
            message.append(
                    "\nRecords under a name that is gone no longer answer: what was done under it may be done again."
                            + " If it was only renamed, give the operation its old name.");
        }
        return message.append("\nIf this is meant, change these lines in the file, or delete it and run again.")
                .toString();
    }

    private void write(Path file) {
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Files.writeString(file, String.join("\n", names) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(file + " is missing and could not be written", e);
        }
    }
}
