package io.onefold.payload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.onefold.payload.UnreadableResultException.UnreadableReason;
import io.onefold.store.ResultPayload;
import io.onefold.store.ResultPayload.Kind;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

class ResultsTest {

    private static final byte[] CONTEXT = "record 1, success".getBytes(UTF_8);
    private static final int MAX = 1_000;
    private static final byte[] OLD = new byte[16];
    private static final byte[] NEW = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);
    private static final ResultSerializer PLAIN = ResultSerializer.with(new JsonCodec());
    private static final ResultSerializer GCM = PLAIN.sealedBy(AesGcmSeal.of("2", Map.of("1", OLD, "2", NEW)));
    private static final ResultSerializer MAC = PLAIN.sealedBy(MacSeal.of("2", Map.of("1", OLD, "2", NEW)));

    record Receipt(String id, long amount) {}

    private static final Receipt RECEIPT = new Receipt("secret-7", 4200);

    static List<ResultSerializer> all() {
        return List.of(PLAIN, GCM, MAC);
    }

    static List<ResultSerializer> sealing() {
        return List.of(GCM, MAC);
    }

    private static void assertUnreadable(UnreadableReason reason, String part, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        UnreadableResultException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContaining(part)
                .hasMessageNotContaining("secret");
    }

    private static ResultPayload receipt(ResultSerializer results) {
        return results.value(RECEIPT, Receipt.class, MAX, CONTEXT);
    }

    @ParameterizedTest
    @MethodSource("all")
    void values_failures_and_notes_come_back(ResultSerializer results) {
        assertThat(results.read(receipt(results), Receipt.class, CONTEXT)).isEqualTo(RECEIPT);
        ResultPayload nothing = results.value(null, Receipt.class, MAX, CONTEXT);
        assertThat(nothing.kind()).isEqualTo(Kind.NOTHING);
        assertThat(results.read(nothing, Receipt.class, CONTEXT)).isNull();
        ResultPayload failure = results.failure("Declined", "no \uD800 funds", null, CONTEXT);
        assertThat(results.readFailure(failure, CONTEXT))
                .isEqualTo(new ResultSerializer.StoredFailure("Declined", "no ? funds", null));
        assertThat(results.readNote(results.note("by hand", CONTEXT), CONTEXT)).isEqualTo("by hand");
    }

    @ParameterizedTest
    @MethodSource("all")
    void what_cannot_be_kept_is_done_all_the_same(ResultSerializer results) {
        ResultPayload large = results.value("x".repeat(MAX), String.class, MAX, CONTEXT);
        ResultPayload unfit = results.value(new Object(), Object.class, MAX, CONTEXT);
        for (ResultPayload payload : List.of(large, unfit)) {
            assertThat(payload.kind()).isEqualTo(Kind.NOT_KEPT);
            results.verify(payload, CONTEXT);
            assertThatIllegalArgumentException().isThrownBy(() -> results.read(payload, String.class, CONTEXT));
        }
    }

    record Pair(String name, long cents) {}

    record Holder(List<String> names) {}

    @Test
    void what_cannot_change_is_decoded_once_and_what_can_is_decoded_for_each() {
        ResultSerializer results = ResultSerializer.with(new JsonCodec());
        byte[] context = {1};
        ResultPayload fixed = results.value(new Pair("a", 1), Pair.class, 1_000, context);
        assertThat(results.read(fixed, Pair.class, context))
                .isEqualTo(new Pair("a", 1))
                .isSameAs(results.read(fixed, Pair.class, context));
        ResultPayload open = results.value(new Holder(List.of("a")), Holder.class, 1_000, context);
        assertThat(results.read(open, Holder.class, context))
                .isEqualTo(new Holder(List.of("a")))
                .isNotSameAs(results.read(open, Holder.class, context));
        ResultPayload copy =
                new ResultPayload(fixed.kind(), fixed.codec(), fixed.version(), fixed.keyId(), fixed.bytes());
        assertThat(results.read(copy, Pair.class, context)).isNotSameAs(results.read(fixed, Pair.class, context));
    }

    @Test
    void what_was_not_kept_is_logged_once_without_its_value() {
        Logger logger = (Logger) LoggerFactory.getLogger(ResultSerializer.class);
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        logger.addAppender(appender);
        try {
            ResultSerializer results = ResultSerializer.with(new JsonCodec());
            for (int i = 0; i < 3; i++) {
                results.value("secret".repeat(MAX), String.class, MAX, CONTEXT);
                results.value("secret", Integer.class, MAX, CONTEXT);
                assertThat(results.value(new Object(), Object.class, 0, CONTEXT).kind())
                        .as("not wanted")
                        .isEqualTo(Kind.NOT_KEPT);
            }
        } finally {
            logger.detachAppender(appender);
        }
        assertThat(appender.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .containsAnyOf(
                                "java.lang.String was not kept (more than 1000 bytes)",
                                "java.lang.Integer was not kept")
                        .doesNotContain("secret"));
    }

    record Card(String number) {
        @Override
        public String number() {
            return "****" + number.substring(number.length() - 4);
        }
    }

    record Wallet(List<Card> cards) {}

    @Test
    void what_does_not_read_back_as_itself_is_told_apart_and_said_once_with_its_property_and_without_its_value() {
        Logger logger = (Logger) LoggerFactory.getLogger(ResultSerializer.class);
        Level level = logger.getLevel();
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        logger.addAppender(appender);
        logger.setLevel(Level.WARN);
        ResultSerializer results = ResultSerializer.with(new JsonCodec());
        Wallet wallet = new Wallet(List.of(new Card("4242424242424242")));
        try {
            for (int i = 0; i < 3; i++) {
                assertThat(results.value(wallet, Wallet.class, MAX, CONTEXT).kind())
                        .isEqualTo(Kind.NOT_KEPT);
            }
        } finally {
            logger.detachAppender(appender);
            logger.setLevel(level);
        }
        assertThat(appender.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage())
                    .contains(Wallet.class.getName(), "\"cards[].number\" is read back as another", "maxResultBytes(0)")
                    .doesNotContain("4242");
        });
        assertThatExceptionOfType(LossyResultException.class)
                .isThrownBy(() -> results.encode(wallet, Wallet.class))
                .satisfies(changed -> assertThat(changed.path()).isEqualTo("cards[].number"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> results.encode(new Object(), Object.class))
                .isNotInstanceOf(LossyResultException.class);
    }

    @Test
    void encrypted_results_show_nothing_and_never_repeat() {
        ResultPayload payload = receipt(GCM);
        assertThat(payload.keyId()).isEqualTo("gcm:2");
        assertThat(new String(payload.bytes(), UTF_8)).doesNotContain("secret");
        assertThat(receipt(GCM).bytes()).isNotEqualTo(payload.bytes());
        assertThat(payload.toString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @MethodSource("sealing")
    void a_flip_of_any_bit_is_refused(ResultSerializer results) {
        ResultPayload nothing = results.value(null, Receipt.class, MAX, CONTEXT);
        ResultPayload notKept = results.value("x".repeat(MAX), String.class, MAX, CONTEXT);
        for (ResultPayload payload : List.of(receipt(results), nothing, notKept, results.note("secret", CONTEXT))) {
            for (int bit = 0; bit < 8 * payload.bytes().length; bit++) {
                byte[] bytes = payload.bytes().clone();
                bytes[bit / 8] ^= (byte) (1 << bit % 8);
                assertUnreadable(
                        UnreadableReason.BAD_SEAL, ":2\"", () -> results.verify(with(payload, bytes), CONTEXT));
            }
            for (int length = 0; length < payload.bytes().length; length++) {
                byte[] bytes = Arrays.copyOf(payload.bytes(), length);
                assertUnreadable(
                        UnreadableReason.BAD_SEAL, ":2\"", () -> results.verify(with(payload, bytes), CONTEXT));
            }
        }
    }

    private static ResultPayload with(ResultPayload payload, byte[] bytes) {
        return new ResultPayload(payload.kind(), payload.codec(), payload.version(), payload.keyId(), bytes);
    }

    @ParameterizedTest
    @MethodSource("sealing")
    void a_payload_of_another_record_kind_codec_or_key_is_refused(ResultSerializer results) {
        ResultPayload payload = receipt(results);
        byte[] bytes = payload.bytes();
        String key = String.valueOf(payload.keyId());
        assertUnreadable(UnreadableReason.BAD_SEAL, "2", () -> results.read(payload, Receipt.class, new byte[0]));
        assertUnreadable(
                UnreadableReason.BAD_SEAL,
                "2",
                () -> results.verify(new ResultPayload(Kind.NOT_KEPT, "json", 1, key, bytes), CONTEXT));
        assertUnreadable(
                UnreadableReason.BAD_SEAL,
                "2",
                () -> results.verify(new ResultPayload(Kind.VALUE, "jsom", 1, key, bytes), CONTEXT));
        assertUnreadable(
                UnreadableReason.BAD_SEAL,
                "2",
                () -> results.verify(new ResultPayload(Kind.VALUE, "json", 0, key, bytes), CONTEXT));
        String other = key.replace("2", "1");
        assertUnreadable(
                UnreadableReason.BAD_SEAL,
                "1",
                () -> results.verify(new ResultPayload(Kind.VALUE, "json", 1, other, bytes), CONTEXT));
    }

    @Test
    void a_forged_done_without_a_seal_is_refused() {
        ResultPayload forged = new ResultPayload(Kind.NOTHING, "json", 1, null, new byte[0]);
        assertUnreadable(UnreadableReason.NOT_SEALED, "gcm:2", () -> GCM.read(forged, Receipt.class, CONTEXT));
        assertThat(GCM.acceptingUnsealed().read(receipt(PLAIN), Receipt.class, CONTEXT))
                .isEqualTo(RECEIPT);
        assertUnreadable(UnreadableReason.UNKNOWN_KEY, "gcm:2", () -> PLAIN.read(receipt(GCM), Receipt.class, CONTEXT));
        assertUnreadable(UnreadableReason.UNKNOWN_KEY, "mac:2", () -> GCM.read(receipt(MAC), Receipt.class, CONTEXT));
    }

    @Test
    void older_keys_still_open() {
        ResultSerializer gcmBefore = PLAIN.sealedBy(AesGcmSeal.of("1", Map.of("1", OLD)));
        ResultSerializer macBefore = PLAIN.sealedBy(MacSeal.of("1", Map.of("1", OLD)));
        assertThat(GCM.read(receipt(gcmBefore), Receipt.class, CONTEXT)).isEqualTo(RECEIPT);
        assertThat(MAC.read(receipt(macBefore), Receipt.class, CONTEXT)).isEqualTo(RECEIPT);
        assertUnreadable(
                UnreadableReason.UNKNOWN_KEY,
                "\"gcm:2\", but only these are known: gcm:1",
                () -> gcmBefore.read(receipt(GCM), Receipt.class, CONTEXT));
    }

    @Test
    void unfit_keys_are_refused_with_their_size() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AesGcmSeal.of("a", Map.of("a", new byte[24])))
                .withMessage("Key \"a\" has 24 bytes; AES-GCM needs 16 or 32");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MacSeal.of("a", Map.of("a", new byte[8])))
                .withMessageContaining("8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MacSeal.of("b", Map.of("a", OLD)))
                .withMessageContaining("\"b\"");
    }

    @Test
    void unknown_codecs_newer_versions_and_other_content_are_unreadable() {
        byte[] bytes = receipt(PLAIN).bytes();
        ResultPayload foreign = new ResultPayload(Kind.VALUE, "kryo", 1, null, bytes);
        assertUnreadable(
                UnreadableReason.UNKNOWN_CODEC,
                "\"kryo\", but only [json]",
                () -> PLAIN.read(foreign, Receipt.class, CONTEXT));
        ResultPayload newer = new ResultPayload(Kind.VALUE, "json", 2, null, bytes);
        assertUnreadable(UnreadableReason.NEWER_VERSION, "version 2", () -> PLAIN.read(newer, Receipt.class, CONTEXT));
        assertUnreadable(
                UnreadableReason.MALFORMED,
                "java.lang.Integer",
                () -> PLAIN.read(receipt(PLAIN), Integer.class, CONTEXT));
        ResultPayload empty = new ResultPayload(Kind.FAILURE, "json", 1, null, "null".getBytes(UTF_8));
        assertUnreadable(UnreadableReason.MALFORMED, "failure", () -> PLAIN.readFailure(empty, CONTEXT));
    }

    @Test
    void other_codecs_may_read_when_they_are_listed() {
        ResultPayload payload = receipt(PLAIN);
        assertThat(ResultSerializer.with(new Stub("new"), new JsonCodec()).read(payload, Receipt.class, CONTEXT))
                .isEqualTo(RECEIPT);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResultSerializer.with(new JsonCodec(), new JsonCodec()))
                .withMessageContaining("\"json\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResultSerializer.with(new Stub("No")))
                .withMessageContaining("\"No\"");
    }

    @Test
    void a_type_that_cannot_be_carried_is_noticed_beforehand() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PLAIN.check(Object.class))
                .withMessageContaining("java.lang.Object");
    }

    private record Stub(String id) implements Codec {

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void check(Type type) {}

        @Override
        public byte[] encode(@Nullable Object value, Type type) {
            return new byte[0];
        }

        @Override
        public @Nullable Object decode(byte[] bytes, Type type, int version) {
            return null;
        }
    }
}
