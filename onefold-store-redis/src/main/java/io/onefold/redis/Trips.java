package io.onefold.redis;

import io.onefold.store.Alteration;
import io.onefold.store.Answer;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.Combiner.Replies;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import io.onefold.store.Take;
import io.onefold.store.Ticket;
import io.onefold.store.Update;
import io.onefold.store.Updated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Claims and changes that travel together: a script for each, in one round trip. They are carried out in their order, each alone. */
final class Trips {

    /** A hundred years: Lua counts in doubles, which are exact up to the year 2255. */
    private static final long FOR_EVER = Duration.ofDays(36_500).toNanos() / 1_000;

    private static final byte[] NONE = {};
    private static final byte[] YES = {'1'};
    private static final byte[] NO = {'0'};

    private final Wire wire;
    private final Scripts scripts;
    private final Places places;
    private final byte[] channel;
    private final @Nullable Losses losses;

    /**
     * @param losses to ask whether anything was lost; null at a front, which may lose what it likes
     */
    Trips(Wire wire, Scripts scripts, Places places, byte[] channel, @Nullable Losses losses) {
        this.wire = wire;
        this.scripts = scripts;
        this.places = places;
        this.channel = channel;
        this.losses = losses;
    }

    Replies send(List<Claim> claims, List<Update> updates) {
        List<Item<?>> items = new ArrayList<>(claims.size() + updates.size());
        List<Item<Claimed>> claiming = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            claiming.add(new Item<>(claim.id(), () -> claiming(claim), answer -> claimed(claim, answer)));
        }
        List<Item<Updated>> updating = new ArrayList<>(updates.size());
        for (Update update : updates) {
            updating.add(new Item<>(update.ticket().id(), () -> changing(update), answer -> updated(update, answer)));
        }
        items.addAll(claiming);
        items.addAll(updating);
        send(items);
        return new Replies(
                claiming.stream().map(Item::answer).toList(),
                updating.stream().map(Item::answer).toList());
    }

    @Nullable
    Seen find(RecordId id) {
        Place place = places.of(id);
        Object answer =
                wire.send(Command.calling(scripts.find(), place.bucket().slot(), List.of(place.key()), List.of()));
        Seen seen = seen(Places.id(place), answer);
        if (seen != null) {
            id.requireSame(seen.record().id());
        }
        return seen;
    }

    /** What {@code find} answered; what is gone is not there, though it may take Redis a millisecond to remove it. */
    static @Nullable Seen seen(UUID id, @Nullable Object answer) {
        List<?> parts = list(answer);
        long now = (Long) parts.get(0);
        if (parts.size() < 2 || !(parts.get(1) instanceof byte[] value)) {
            return null;
        }
        StoredRecord record = Layout.record(id, value);
        return record.gone(now) ? null : new Seen(record, now);
    }

    /** What cannot be written down fails alone, and is not sent. */
    private void send(List<? extends Item<?>> items) {
        List<Item<?>> sent = new ArrayList<>(items.size());
        List<Command> commands = new ArrayList<>(items.size());
        for (Item<?> item : items) {
            Command command = item.command();
            if (command != null) {
                sent.add(item);
                commands.add(command);
            }
        }
        List<@Nullable Object> answers = wire.send(commands);
        for (int i = 0; i < sent.size(); i++) {
            sent.get(i).hear(answers.get(i));
        }
    }

    private Command claiming(Claim claim) {
        Place place = places.of(claim.id());
        Bucket bucket = place.bucket();
        byte[] names = names(claim.id());
        byte[] rest = Layout.begun(
                claim.attempts(),
                names,
                Layout.prints(claim.print().hash(), claim.print().fields(), claim.superseded(), claim.bizId()),
                Layout.checkpoint(claim.checkpoint()));
        List<byte[]> keys = losses == null
                ? List.of(place.key(), bucket.open())
                : List.of(place.key(), bucket.open(), bucket.alive());
        List<byte[]> values = List.of(bytes(claim.owner()), micros(claim.lease()), rest, place.name());
        Take take = claim.take();
        if (take == null && !claim.mark() && losses != null) {
            return Command.calling(scripts.claim(), bucket.slot(), keys, values);
        }
        List<byte[]> more = new ArrayList<>(values);
        more.add(names);
        more.add(alias(claim.id()));
        more.add(claim.mark() ? YES : NO);
        more.add(take == null ? NONE : Command.bytes(take.grounds().name()));
        more.add(take == null ? NONE : Command.bytes(take.fence()));
        return Command.calling(scripts.take(), bucket.slot(), keys, more);
    }

    private Claimed claimed(Claim claim, @Nullable Object answer) {
        List<?> parts = list(answer);
        if (losses != null) {
            losses.present(places.bucket(claim.id()));
        }
        long now = (Long) parts.get(0);
        if (parts.get(1) instanceof Long fence) {
            return new Claimed.Won(fence, now);
        }
        StoredRecord there = Layout.record(claim.id().uuid(), (byte[]) parts.get(1));
        claim.id().requireSame(there.id());
        return claim.recognises(there, now) ? new Claimed.Won(there.fence(), now) : new Seen(there, now);
    }

    private Command changing(Update update) {
        Ticket ticket = update.ticket();
        Place place = places.of(ticket.id());
        Bucket bucket = place.bucket();
        if (update.change() instanceof Change.Mirror mirror) {
            return mirroring(place, ticket.id(), mirror);
        }
        Alteration to = Alteration.of(update.change());
        byte[] ticketed = new Writer()
                .rest(bytes(ticket.owner()))
                .fixed(ticket.fence(), 7)
                .bytes();
        return Command.calling(
                scripts.change(),
                bucket.slot(),
                List.of(place.key(), bucket.open(), bucket.due()),
                List.of(
                        ticketed,
                        names(ticket.id()),
                        alias(ticket.id()),
                        Command.bytes(to.what()),
                        Command.bytes(Math.min(to.lease(), FOR_EVER)),
                        Command.bytes(Math.min(to.keep(), FOR_EVER)),
                        Command.bytes(Math.min(to.tombstone(), FOR_EVER)),
                        to.heir() == null ? NONE : bytes(to.heir()),
                        Layout.checkpoint(to.checkpoint()),
                        Layout.payload(to.payload()),
                        place.name(),
                        channel));
    }

    private Command mirroring(Place place, RecordId id, Change.Mirror mirror) {
        StoredRecord record = mirror.record();
        return Command.calling(
                scripts.mirror(),
                place.bucket().slot(),
                List.of(place.key()),
                List.of(
                        bytes(record.owner()),
                        Command.bytes(record.fence()),
                        names(id),
                        alias(id),
                        Command.bytes(record.status().code()),
                        Command.bytes(record.times().createdAt()),
                        micros(mirror.leaseLeft()),
                        micros(mirror.keepLeft()),
                        micros(mirror.tombstone()),
                        Command.bytes(record.attempts()),
                        Layout.prints(
                                record.prints().hash(),
                                record.prints().fields(),
                                record.prints().superseded(),
                                record.bizId()),
                        Layout.checkpoint(record.checkpoint()),
                        Layout.payload(record.payload()),
                        channel));
    }

    /** A change that was made before is answered as it was then. */
    private static Updated updated(Update update, @Nullable Object answer) {
        if (answer instanceof Long) {
            return Updated.APPLIED;
        }
        if (!(answer instanceof byte[] value)) {
            return Updated.LOST;
        }
        Ticket ticket = update.ticket();
        StoredRecord there = Layout.record(ticket.id().uuid(), value);
        ticket.id().requireSame(there.id());
        boolean before = !(update.change() instanceof Change.Mirror)
                && Alteration.of(update.change()).madeBefore(there, ticket);
        return before ? Updated.APPLIED : Updated.LOST;
    }

    private static List<?> list(@Nullable Object answer) {
        if (answer instanceof List<?> list && !list.isEmpty()) {
            return list;
        }
        throw new StoreException("Redis gave an answer that no script of this version gives: " + answer);
    }

    private static byte[] names(RecordId id) {
        return Layout.names(id, id.key());
    }

    private static byte[] alias(RecordId id) {
        return Layout.names(id, id.alias());
    }

    private static byte[] bytes(UUID id) {
        return new Writer()
                .fixed(id.getMostSignificantBits(), 8)
                .fixed(id.getLeastSignificantBits(), 8)
                .bytes();
    }

    private static byte[] micros(Duration duration) {
        return Command.bytes(Math.min(Alteration.micros(duration), FOR_EVER));
    }

    /** One claim or change on its way. */
    private final class Item<T> {
        private final RecordId id;
        private final Supplier<Command> asked;
        private final Function<@Nullable Object, T> read;
        private @Nullable Answer<T> answer;

        Item(RecordId id, Supplier<Command> asked, Function<@Nullable Object, T> read) {
            this.id = id;
            this.asked = asked;
            this.read = read;
        }

        @Nullable
        Command command() {
            try {
                return asked.get();
            } catch (RuntimeException e) {
                answer = Answer.failed(e);
                return null;
            }
        }

        void hear(@Nullable Object said) {
            answer = Answer.from(() -> {
                if (said instanceof RuntimeException failure) {
                    throw losses == null ? failure : losses.heard(failure, places.bucket(id));
                }
                return read.apply(said);
            });
        }

        Answer<T> answer() {
            return Objects.requireNonNull(answer, "an item without an answer");
        }
    }
}
