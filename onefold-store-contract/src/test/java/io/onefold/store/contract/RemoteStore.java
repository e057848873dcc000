package io.onefold.store.contract;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordPage;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Another process's store, as far as counting under a claim needs it: claim, take what is free, release. */
final class RemoteStore implements Store {
    private final DataInputStream in;
    private final DataOutputStream out;

    private RemoteStore(Socket socket) throws IOException {
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    /** Opens the store that is served on a port. */
    public static final class Opening implements ProcessFuzz.StoreOpener {
        @Override
        public Store open(String port) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
            socket.setTcpNoDelay(true);
            return new RemoteStore(socket);
        }
    }

    /** Serves a store until the socket is closed. */
    static ServerSocket serve(Store store) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(() -> {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                daemon(() -> answer(
                        store,
                        new DataInputStream(socket.getInputStream()),
                        new DataOutputStream(socket.getOutputStream())));
            }
        });
        return server;
    }

    private interface Loop {
        void run() throws IOException;
    }

    private static void daemon(Loop loop) {
        Thread thread = new Thread(() -> {
            try {
                loop.run();
            } catch (IOException e) {
                // the other side is gone
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static void answer(Store store, DataInputStream in, DataOutputStream out) throws IOException {
        while (true) {
            boolean claiming = in.readBoolean();
            RecordId id = RecordId.of(in.readUTF(), in.readUTF(), in.readUTF());
            UUID owner = new UUID(in.readLong(), in.readLong());
            long micros = in.readLong();
            long fence = in.readLong();
            Duration time = Duration.ofNanos(micros * 1_000);
            if (!claiming) {
                UpdateResult updated =
                        store.update(new Ticket(id, owner, fence), new Change.Release(RetentionPeriod.of(time)));
                out.writeBoolean(updated == UpdateResult.APPLIED);
                continue;
            }
            Claim claim = Claim.of(id, owner, time);
            ClaimResult claimed = store.claim(
                    fence == 0
                            ? claim
                            : claim.retaking(TakeoverReason.FREE, sketch(claim, Status.FREE, fence), List.of()));
            out.writeLong(claimed.now());
            out.writeBoolean(claimed instanceof ClaimResult.Acquired);
            if (claimed instanceof ClaimResult.Acquired won) {
                out.writeLong(won.fence());
            } else {
                StoredRecord record = ((RecordSnapshot) claimed).record();
                out.writeLong(record.fence());
                out.writeInt(record.status().code());
            }
        }
    }

    private void ask(boolean claiming, RecordId id, UUID owner, Duration time, long fence) throws IOException {
        out.writeBoolean(claiming);
        out.writeUTF(id.scope());
        out.writeUTF(id.operation());
        out.writeUTF(id.key());
        out.writeLong(owner.getMostSignificantBits());
        out.writeLong(owner.getLeastSignificantBits());
        out.writeLong(time.toNanos() / 1_000);
        out.writeLong(fence);
    }

    @Override
    public ClaimResult claim(Claim claim) {
        try {
            Takeover take = claim.take();
            ask(true, claim.id(), claim.owner(), claim.lease(), take == null ? 0 : take.fence());
            long now = in.readLong();
            if (in.readBoolean()) {
                return new ClaimResult.Acquired(in.readLong(), now);
            }
            long fence = in.readLong();
            Status status = Status.of(in.readInt());
            return new RecordSnapshot(sketch(claim, status, fence), now);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static StoredRecord sketch(Claim claim, Status status, long fence) {
        StoredRecord.RecordTimes times = new StoredRecord.RecordTimes(0, 0, 0, 0, 0);
        byte[] none = new byte[0];
        StoredRecord.RecordFingerprints prints = new StoredRecord.RecordFingerprints(none, none, List.of());
        return new StoredRecord(claim.id(), status, claim.owner(), fence, 1, times, prints, null, none, null);
    }

    @Override
    public UpdateResult update(Ticket ticket, Change change) {
        try {
            ask(
                    false,
                    ticket.id(),
                    ticket.owner(),
                    ((Change.Release) change).keep().duration(),
                    ticket.fence());
            return in.readBoolean() ? UpdateResult.APPLIED : UpdateResult.LOST;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        return claims.stream().map(claim -> BatchItemResult.of(claim(claim))).toList();
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        return updates.stream()
                .map(update -> BatchItemResult.of(update(update.ticket(), update.change())))
                .toList();
    }

    @Override
    public @Nullable RecordSnapshot find(RecordId id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int sweep(int limit) {
        throw new UnsupportedOperationException();
    }
}
