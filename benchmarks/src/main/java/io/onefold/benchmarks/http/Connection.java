package io.onefold.benchmarks.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A connection that is kept, with at most one request on its way. */
final class Connection implements AutoCloseable {
    private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(US_ASCII);

    private final SocketChannel channel;
    private final SelectionKey selection;
    private final Asker asker;
    private final ByteBuffer received = ByteBuffer.allocateDirect(4_096);
    private ByteBuffer @Nullable [] sending;
    private long askedAt;

    Connection(InetSocketAddress address, Selector selector, Asker asker) throws IOException {
        this.asker = asker;
        this.channel = SocketChannel.open(address);
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        this.selection = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /**
     * Sends the next request.
     *
     * @return false if there is none
     */
    boolean ask() throws IOException {
        sending = asker.next();
        if (sending == null) {
            return false;
        }
        askedAt = System.nanoTime();
        write();
        return true;
    }

    private void write() throws IOException {
        if (sending == null) {
            return;
        }
        channel.write(sending);
        boolean rest = sending[sending.length - 1].hasRemaining();
        int wanted = rest ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (selection.interestOps() != wanted) {
            selection.interestOps(wanted);
        }
    }

    /**
     * Goes on as far as it can.
     *
     * @return whether the answer is there
     */
    boolean proceed() throws IOException {
        if (selection.isWritable()) {
            write();
        }
        return selection.isReadable() && read();
    }

    private boolean read() throws IOException {
        if (channel.read(received) < 0) {
            throw new EOFException("a connection was closed in mid-answer");
        }
        ByteBuffer there = received.duplicate().flip();
        int end = Reply.find(there, END_OF_HEAD);
        if (end < 0) {
            return false;
        }
        int bodyAt = end + END_OF_HEAD.length;
        ByteBuffer head = there.slice(0, bodyAt);
        int length = Reply.length(head);
        if (there.limit() < bodyAt + length) {
            return false;
        }
        asker.answered(new Reply(head, there.slice(bodyAt, length)));
        received.clear();
        return true;
    }

    long askedAt() {
        return askedAt;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
