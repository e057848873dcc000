package io.onefold.payload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.payload.UnreadableResultException.UnreadableReason;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FingerprintKeysTest {

    private static final byte[] SALT = {1, 2, 3, 4, 5, 6, 7, 8};
    private static final byte[] OLD = "old-old-old-old-".getBytes(UTF_8);
    private static final byte[] NEW = "new-new-new-new-".getBytes(UTF_8);
    private static final FingerprintKeys NONE = FingerprintKeys.none();
    private static final FingerprintKeys BEFORE = FingerprintKeys.hmac("1", Map.of("1", OLD));
    private static final FingerprintKeys AFTER = FingerprintKeys.hmac("2", Map.of("1", OLD, "2", NEW));
    private static final Fingerprint ONE = print("{\"a\":1}");
    private static final Fingerprint TWO = print("{\"a\":2}");

    private static Fingerprint print(String json) {
        return Fingerprinter.standard().json(json);
    }

    private static void assertUnreadable(UnreadableReason reason, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        UnreadableResultException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason));
    }

    @Test
    void a_print_matches_what_was_stored_of_it_and_nothing_else() {
        for (FingerprintKeys keys : List.of(NONE, BEFORE, AFTER)) {
            assertThat(keys.matches(keys.stored(ONE), ONE)).isTrue();
            assertThat(keys.matches(keys.stored(ONE), TWO)).isFalse();
        }
    }

    @Test
    void a_print_without_its_large_payload_is_the_same_print() {
        String text = "x".repeat(10_000);
        Fingerprint whole = print("{\"a\":1,\"b\":{\"c\":2,\"d\":\"" + text + "\"}}");
        Fingerprint condensed = print("{\"a\":1,\"b\":{\"c\":2,\"d\":\"" + text + "\"}}");
        condensed.condense();
        condensed.condense();
        Fingerprint other = print("{\"a\":1,\"b\":{\"c\":3,\"d\":\"" + text + "\"}}");
        for (FingerprintKeys keys : List.of(NONE, BEFORE, AFTER)) {
            assertThat(keys.matches(keys.stored(whole), condensed)).isTrue();
            assertThat(keys.storedFields(condensed, SALT)).isEqualTo(keys.storedFields(whole, SALT));
            assertThat(keys.storedFields(condensed, SALT)).isEqualTo(keys.storedFields(whole, SALT));
            assertThat(keys.differing(keys.storedFields(other, SALT), condensed))
                    .containsExactly("b.c");
        }
        assertThat(condensed).isEqualTo(whole);
    }

    @Test
    void a_plain_print_is_version_no_key_and_the_digest() {
        byte[] stored = NONE.stored(ONE);
        assertThat(stored).hasSize(34).startsWith(1, 0).endsWith(ONE.digest());
    }

    @Test
    void a_keyed_print_names_its_key_and_hides_the_digest() {
        byte[] stored = BEFORE.stored(ONE);
        assertThat(stored).hasSize(35).startsWith(1, 1, '1');
        assertThat(Arrays.copyOfRange(stored, 3, 35)).isNotEqualTo(ONE.digest());
    }

    @Test
    void older_keys_and_plain_prints_still_verify() {
        assertThat(AFTER.matches(BEFORE.stored(ONE), ONE)).isTrue();
        assertThat(AFTER.matches(BEFORE.stored(ONE), TWO)).isFalse();
        assertThat(AFTER.matches(NONE.stored(ONE), ONE)).isTrue();
        assertThat(AFTER.stored(ONE)).startsWith(1, 1, '2');
    }

    @Test
    void what_cannot_be_compared_is_no_mismatch_but_an_error() {
        assertUnreadable(UnreadableReason.UNKNOWN_KEY, () -> BEFORE.matches(AFTER.stored(ONE), ONE));
        assertUnreadable(UnreadableReason.UNKNOWN_KEY, () -> NONE.matches(BEFORE.stored(ONE), ONE));
        byte[] newer = NONE.stored(ONE);
        newer[0] = 2;
        assertUnreadable(UnreadableReason.NEWER_VERSION, () -> NONE.matches(newer, ONE));
        assertUnreadable(UnreadableReason.MALFORMED, () -> NONE.matches(new byte[0], ONE));
        assertUnreadable(UnreadableReason.MALFORMED, () -> NONE.matches(new byte[34], ONE));
        assertUnreadable(UnreadableReason.MALFORMED, () -> NONE.matches(Arrays.copyOf(NONE.stored(ONE), 33), ONE));
        assertUnreadable(UnreadableReason.MALFORMED, () -> NONE.matches(Arrays.copyOf(NONE.stored(ONE), 35), ONE));
        assertUnreadable(UnreadableReason.MALFORMED, () -> NONE.differing(new byte[] {1, 0, 1}, ONE));
        byte[] cut = NONE.storedFields(ONE, SALT);
        assertUnreadable(UnreadableReason.MALFORMED, () -> NONE.differing(Arrays.copyOf(cut, cut.length - 1), ONE));
    }

    @Test
    void unfit_keys_are_refused_by_name() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FingerprintKeys.hmac("2", Map.of("1", OLD)))
                .withMessage("The current key \"2\" is not among [1]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FingerprintKeys.hmac("1", Map.of("1", new byte[15])))
                .withMessageContaining("\"1\" has 15 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FingerprintKeys.hmac("a b", Map.of("a b", OLD)))
                .withMessageContaining("\"a b\"");
    }

    @Test
    void keys_are_copied() {
        byte[] key = OLD.clone();
        FingerprintKeys keys = FingerprintKeys.hmac("1", Map.of("1", key));
        Arrays.fill(key, (byte) 0);
        assertThat(keys.stored(ONE)).isEqualTo(BEFORE.stored(ONE));
    }

    @Nested
    class Differing {

        private List<String> differing(String stored, String now) {
            List<String> names = NONE.differing(NONE.storedFields(print(stored), SALT), print(now));
            assertThat(AFTER.differing(BEFORE.storedFields(print(stored), SALT), print(now)))
                    .isEqualTo(names);
            return names;
        }

        private String object(int from, int to) {
            return IntStream.range(from, to)
                    .mapToObj(i -> String.format("\"m%03d\":%d", i, i))
                    .collect(Collectors.joining(",", "{", "}"));
        }

        @Test
        void equal_payloads_differ_in_nothing() {
            assertThat(differing("{\"a\":1,\"b\":{\"c\":[1]}}", "{\"b\":{\"c\":[1.0]},\"a\":1}"))
                    .isEmpty();
        }

        @Test
        void changed_added_and_removed_members_are_named_in_order() {
            assertThat(differing("{\"a\":1,\"b\":2,\"c\":3}", "{\"d\":4,\"b\":2,\"a\":9}"))
                    .containsExactly("a", "c", "d");
            assertThat(differing("{}", "{\"a\":null}")).containsExactly("a");
            assertThat(differing("{\"a\":null}", "{}")).containsExactly("a");
        }

        @Test
        void nested_members_are_named_down_to_the_third_level() {
            assertThat(differing("{\"a\":{\"b\":{\"c\":1,\"d\":2}}}", "{\"a\":{\"b\":{\"c\":1,\"d\":3}}}"))
                    .containsExactly("a.b.d");
            assertThat(differing("{\"a\":{\"b\":{\"c\":{\"d\":1}}}}", "{\"a\":{\"b\":{\"c\":{\"d\":2}}}}"))
                    .containsExactly("a.b.c");
            assertThat(differing("{\"a\":{\"b\":1}}", "{\"a\":{\"b\":1,\"x\":2}}"))
                    .containsExactly("a.x");
            assertThat(differing("{\"a\":{\"b\":1}}", "{\"a\":{}}")).containsExactly("a", "a.b");
            assertThat(differing("{\"a\":{\"b\":1}}", "{\"a\":7}")).containsExactly("a", "a.b");
            assertThat(differing("{\"a\":{}}", "{\"a\":{\"b\":1}}")).containsExactly("a");
        }

        @Test
        void an_array_is_one_field() {
            assertThat(differing("{\"a\":[{\"b\":1}],\"c\":1}", "{\"a\":[{\"b\":2}],\"c\":1}"))
                    .containsExactly("a");
        }

        @Test
        void what_is_no_object_is_the_body() {
            assertThat(differing("[1]", "[2]")).containsExactly("(body)");
            assertThat(differing("{}", "[]")).containsExactly("(body)");
            assertThat(differing("1", "{\"(body)\":1}")).containsExactly("(body)", "…");
            Fingerprinter standard = Fingerprinter.standard();
            byte[] stored = NONE.storedFields(standard.bytes(new byte[1]), SALT);
            assertThat(NONE.differing(stored, standard.bytes(new byte[2]))).containsExactly("(body)");
            assertThat(NONE.differing(stored, standard.bytes(new byte[1]))).isEmpty();
        }

        @Test
        void json_and_a_form_that_look_alike_differ() {
            byte[] stored = NONE.storedFields(print("{\"a\":[\"1\"]}"), SALT);
            assertThat(NONE.differing(stored, Fingerprinter.standard().form("a=1")))
                    .containsExactly("a");
        }

        @Test
        void names_of_forms_may_have_dots() {
            Fingerprinter standard = Fingerprinter.standard();
            byte[] stored = NONE.storedFields(standard.form("address.city=x&address.zip=1&b=1"), SALT);
            assertThat(NONE.differing(stored, standard.form("address.city=x&address.zip=2&b=1")))
                    .containsExactly("address.zip");
        }

        @Test
        void over_the_cap_the_rest_is_one_field() {
            assertThat(print(object(0, 32)).fields()).hasSize(32).doesNotContainKey("…");
            assertThat(print(object(0, 33)).fields()).hasSize(32).containsKey("…");
            assertThat(differing(object(0, 100), object(0, 99))).containsExactly("…");
            assertThat(differing(object(0, 100), object(1, 100))).containsExactly("m000");
            assertThat(differing(object(0, 32), object(0, 33))).containsExactly("m032");
            assertThat(differing("{}", object(0, 100)))
                    .hasSize(32)
                    .startsWith("m000")
                    .endsWith("m030", "…");
        }

        @Test
        void an_object_with_too_many_members_stays_whole() {
            String wide = "{\"a\":" + object(0, 40) + ",\"b\":{\"c\":1}}";
            assertThat(print(wide).fields()).containsOnlyKeys("a", "b.c");
            assertThat(differing(wide, wide.replace("\"m039\":39", "\"m039\":0")))
                    .containsExactly("a");
        }

        @Test
        void the_granularity_of_the_stored_payload_counts() {
            String small = "{\"a\":{\"x\":1,\"y\":2}}";
            String large = "{\"a\":{\"x\":1,\"y\":2}," + object(0, 31).substring(1);
            assertThat(differing(small, large))
                    .doesNotContain("a", "a.x", "a.y")
                    .contains("m000")
                    .hasSize(31);
            assertThat(differing(large, small))
                    .doesNotContain("a", "a.x", "a.y")
                    .contains("m000")
                    .hasSize(31);
        }

        @Test
        void names_that_could_mislead_are_not_used() {
            String odd = "{\"a.b\":1,\"\":2,\"…\":3,\"x\\ny\":4,\"" + "n".repeat(65) + "\":5,\"ok\":6}";
            assertThat(print(odd).fields()).containsOnlyKeys("ok", "…");
            assertThat(differing(odd, odd.replace("\"\":2", "\"\":7"))).containsExactly("…");
            assertThat(differing("{\"a\":{\"b.c\":1}}", "{\"a\":{\"b.c\":2}}")).containsExactly("a");
            assertThat(differing("{\"a\":{\"b\":1}}", "{\"a\":{\"b\":1,\"c.d\":2}}"))
                    .containsExactly("a", "a.b");
        }

        @Test
        void values_never_appear_and_equal_fields_of_two_records_do_not_look_alike() {
            Fingerprint print = print("{\"pan\":\"4111111111111111\"}");
            byte[] stored = NONE.storedFields(print, SALT);
            assertThat(new String(stored, UTF_8)).contains("pan").doesNotContain("4111");
            byte[] again = NONE.storedFields(print, new byte[8]);
            assertThat(Arrays.copyOfRange(again, 14, 20)).isNotEqualTo(Arrays.copyOfRange(stored, 14, 20));
            assertThat(stored).hasSize(2 + 8 + 1 + 3 + 6);
        }

        @Test
        void a_salt_has_8_bytes() {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> NONE.storedFields(ONE, new byte[7]))
                    .withMessageContaining("7");
        }
    }
}
