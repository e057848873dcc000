package io.onefold.http;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that were taken, to be read as often as needed: in memory at first, and all of them in a file as soon as there are too many, or
 * others have all the memory that there is for bodies. Memory grows with what has come, never with what was announced; a file has no
 * buffer beside it, since bytes come in large pieces or seldom. The file loses its name as soon as it is open, so that nothing stays
 * behind even if the process is killed; where that is not possible, it is deleted at the end.
 */
final class BodyBuffer implements AutoCloseable {
    /** The number of bytes that are not counted: the connection that they come on costs more. */
    private static final int SMALL = 1 << 9;

    private static final int PIECE = 1 << 13;

    private final int memory;
    private final BodyMemoryLimit shared;
    private final Path directory;
    /** Pieces of the same length, except for the last. */
    private final List<byte[]> pieces = new ArrayList<>();

    private byte[] last = new byte[0];
    private int used;
    private long length;
    private long counted;
    private @Nullable RandomAccessFile file;
    private @Nullable Path named;
    private boolean closed;

    BodyBuffer(int memory, BodyMemoryLimit shared, Path directory) {
        this.memory = memory;
        this.shared = shared;
        this.directory = directory;
    }

    synchronized long length() {
        return length;
    }

    synchronized void add(byte[] bytes, int from, int count) throws IOException {
        checkOpen();
        if (file == null && length + count > memory) {
            spill();
        }
        int done = 0;
        while (done < count) {
            if (file == null && used == last.length && !grow()) {
                spill();
            }
            if (file != null) {
                file.write(bytes, from + done, count - done);
                break;
            }
            int now = Math.min(count - done, last.length - used);
            System.arraycopy(bytes, from + done, last, used, now);
            used += now;
            done += now;
        }
        length += count;
    }

    /** Makes room for another piece. Returns true if there was memory for it. */
    private boolean grow() {
        boolean first = pieces.isEmpty();
        boolean second = last.length == SMALL;
        int more = second ? PIECE - SMALL : PIECE;
        if (!first) {
            if (!shared.take(more)) {
                return false;
            }
            counted += more;
        }
        if (second) {
            last = Arrays.copyOf(last, PIECE);
            pieces.set(0, last);
        } else {
            last = new byte[first ? SMALL : PIECE];
            pieces.add(last);
            used = 0;
        }
        return true;
    }

    private void spill() throws IOException {
        Path path = create(directory);
        named = path;
        RandomAccessFile opened = new RandomAccessFile(path.toFile(), "rw");
        file = opened;
        forget();
        for (byte[] piece : pieces) {
            opened.write(piece, 0, piece == last ? used : piece.length);
        }
        letGo();
    }

    private void letGo() {
        pieces.clear();
        last = new byte[0];
        used = 0;
        if (counted > 0) {
            shared.giveBack(counted);
            counted = 0;
        }
    }

    static Path create(Path directory) throws IOException {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] owner = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
        return Files.createTempFile(directory, "onefold-", ".body", owner);
    }

    private void forget() {
        if (named != null) {
            try {
                Files.deleteIfExists(named);
                named = null;
            } catch (IOException e) {
                // some systems delete no open file: once more when it is closed
            }
        }
    }

    /** From the beginning; each stream on its own. */
    synchronized InputStream open() {
        return file == null ? new BufferInputStream() : new BufferedInputStream(new BufferInputStream());
    }

    /** All of them, which are to fit into memory. */
    synchronized byte[] bytes() throws IOException {
        byte[] all = new byte[Math.toIntExact(length)];
        for (int done = 0; done < all.length; ) {
            int now = read(done, all, done, all.length - done);
            if (now < 0) {
                throw new EOFException("the file of a body is shorter than the body");
            }
            done += now;
        }
        return all;
    }

    private synchronized int read(long position, byte[] into, int from, int count) throws IOException {
        checkOpen();
        if (position == length) {
            return -1;
        }
        if (file != null) {
            file.seek(position);
            return file.read(into, from, count);
        }
        byte[] piece = pieces.get((int) (position / PIECE));
        int offset = (int) (position % PIECE);
        int there = (int) Math.min(piece.length - offset, length - position);
        int now = Math.min(count, there);
        System.arraycopy(piece, offset, into, from, now);
        return now;
    }

    synchronized void checkOpen() throws IOException {
        if (closed) {
            throw InvalidBodyException.invalid("The body was given up before its end");
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        letGo();
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                // nothing of it is needed any more
            }
        }
        forget();
    }

    private final class BufferInputStream extends InputStream {
        private long position;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int from, int count) throws IOException {
            Objects.checkFromIndexSize(from, count, into.length);
            if (count == 0) {
                return 0;
            }
            int now = BodyBuffer.this.read(position, into, from, count);
            position += Math.max(now, 0);
            return now;
        }

        @Override
        public int available() {
            return (int) Math.min(length() - position, Integer.MAX_VALUE);
        }
    }
}
