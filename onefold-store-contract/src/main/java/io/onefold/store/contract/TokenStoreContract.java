package io.onefold.store.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.RetentionPresets;
import io.onefold.TokenStore;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link TokenStore}. The test of an implementation extends this class and provides a fixture
 * that opens it.
 */
public abstract class TokenStoreContract {
    private static final Operation<String> SUBMIT =
            Operation.of("submit", String.class).keepFor(RetentionPresets.FORM);
    private static final int CALLS = 8;

    /** Called for each case, more than once. */
    protected abstract TokenStoreFixture fixture();

    private TokenStore tokens() {
        return fixture().tokens();
    }

    private Onefold onefold(TokenStore tokens) {
        return Onefold.builder(fixture().store()).tokens(tokens).build();
    }

    @Test
    void a_token_is_valid_for_its_operation_and_user_until_it_is_removed() {
        String token = tokens().issue("submit", "ann");
        assertThat(tokens().check(token, "submit", "ann")).isEqualTo(TokenStore.TokenCheck.VALID);
        assertThat(tokens().check(token, "submit", "ann"))
                .as("a look uses nothing up")
                .isEqualTo(TokenStore.TokenCheck.VALID);
        tokens().remove(token);
        assertThat(tokens().check(token, "submit", "ann")).isEqualTo(TokenStore.TokenCheck.MISSING);
        tokens().remove(token);
    }

    @Test
    void a_token_that_nobody_issued_is_missing() {
        assertThat(Stream.of("", "no", "' or 1 = 1 --", "x".repeat(10_000), "\u0000", "\ud83d\ude00", "\ud83d")
                        .map(token -> tokens().check(token, "submit", "ann")))
                .containsOnly(TokenStore.TokenCheck.MISSING);
    }

    @Test
    void another_user_or_operation_is_foreign_down_to_case_accents_and_blanks() {
        String token = tokens().issue("submit", "René");
        assertThat(Stream.of("rené", "René ", "Rene", "Rene\u0301", "RENÉ", "bob", "")
                        .map(user -> tokens().check(token, "submit", user)))
                .containsOnly(TokenStore.TokenCheck.FOREIGN);
        assertThat(Stream.of("Submit", "submit ", "other", "")
                        .map(operation -> tokens().check(token, operation, "René")))
                .containsOnly(TokenStore.TokenCheck.FOREIGN);
        assertThat(tokens().check(token, "submit", "René")).isEqualTo(TokenStore.TokenCheck.VALID);
    }

    @Test
    void a_user_who_cannot_be_written_is_nobody_else() {
        String token = tokens().issue("submit", "?");
        assertThat(tokens().check(token, "submit", "\ud83d")).isEqualTo(TokenStore.TokenCheck.FOREIGN);
    }

    @Test
    void a_token_expires_and_is_forgotten_after_another_life() {
        String token = tokens().issue("submit", "ann");
        fixture().age(token, Duration.ofMinutes(9));
        assertThat(tokens().check(token, "submit", "ann")).isEqualTo(TokenStore.TokenCheck.VALID);
        fixture().age(token, Duration.ofMinutes(1));
        assertThat(tokens().check(token, "submit", "ann")).isEqualTo(TokenStore.TokenCheck.EXPIRED);
        assertThat(tokens().check(token, "submit", "bob")).isEqualTo(TokenStore.TokenCheck.FOREIGN);
        fixture().age(token, Duration.ofMinutes(9));
        String unused = tokens().issue("submit", "ann");
        assertThat(tokens().check(token, "submit", "ann")).isEqualTo(TokenStore.TokenCheck.EXPIRED);
        fixture().age(token, Duration.ofMinutes(1));
        unused = tokens().issue("submit", "ann");
        assertThat(tokens().check(token, "submit", "ann")).isEqualTo(TokenStore.TokenCheck.MISSING);
    }

    @Test
    void a_token_lives_as_long_as_it_was_given_whoever_checks_it() {
        String token = fixture().tokens(Duration.ofHours(1)).issue("submit", "ann");
        fixture().age(token, Duration.ofMinutes(59));
        assertThat(fixture().tokens(Duration.ofDays(1)).check(token, "submit", "ann"))
                .isEqualTo(TokenStore.TokenCheck.VALID);
        fixture().age(token, Duration.ofMinutes(1));
        assertThat(tokens().check(token, "submit", "ann")).isEqualTo(TokenStore.TokenCheck.EXPIRED);
    }

    @Test
    void of_calls_at_once_with_one_token_one_runs_and_the_others_replay() {
        Onefold onefold = onefold(tokens());
        String token = tokens().issue(SUBMIT.name(), "ann");
        AtomicInteger runs = new AtomicInteger();
        Callable<Outcome<String>> call = () -> onefold.attempt(
                SUBMIT.waitFor(Duration.ofMinutes(1)),
                Key.ofToken(token, "ann"),
                attempt -> "run " + runs.incrementAndGet());
        List<Outcome<String>> outcomes = ConcurrentTasks.run(Collections.nCopies(CALLS, call));
        assertThat(runs).hasValue(1);
        assertThat(outcomes).extracting(Outcome::orThrow).containsOnly("run 1");
        assertThat(outcomes)
                .filteredOn(outcome -> outcome instanceof Outcome.Replayed)
                .hasSize(CALLS - 1);
        assertThat(tokens().check(token, SUBMIT.name(), "ann")).as("used up").isEqualTo(TokenStore.TokenCheck.MISSING);
    }

    @Test
    void a_token_that_another_uses_up_between_the_look_and_the_check_replays() {
        for (TokenCallStyle way : TokenCallStyle.values()) {
            if (way == TokenCallStyle.IN_TRANSACTION && fixture().store().joining() == null) {
                continue;
            }
            Key key = Key.ofToken(tokens().issue(SUBMIT.name(), "ann"), "ann");
            TokenStore overtaken = new ForwardingTokenStore(tokens()) {
                @Override
                public TokenCheck check(String token, String operation, String user) {
                    assertThat(way.attempt(onefold(tokens()), key, "first"))
                            .isEqualTo(new Outcome.Executed<>("first", true));
                    return super.check(token, operation, user);
                }
            };
            assertThat(way.attempt(onefold(overtaken), key, "second"))
                    .as(way.name())
                    .isEqualTo(new Outcome.Replayed<>("first", true));
        }
    }

    private enum TokenCallStyle {
        LEASED,
        IN_TRANSACTION;

        Outcome<String> attempt(Onefold onefold, Key key, String result) {
            return this == LEASED
                    ? onefold.attempt(SUBMIT, key, attempt -> result)
                    : onefold.attemptInTransaction(SUBMIT, key, (attempt, connection) -> result);
        }
    }

    @Test
    void a_token_of_another_user_or_operation_and_an_expired_one_are_refused() {
        Onefold onefold = onefold(tokens());
        String token = tokens().issue(SUBMIT.name(), "ann");
        Operation<String> other = Operation.of("other", String.class);
        assertThat(refusal(onefold, SUBMIT, Key.ofToken(token, "bob")))
                .isEqualTo(Outcome.RejectionReason.TOKEN_FOREIGN);
        assertThat(refusal(onefold, other, Key.ofToken(token, "ann"))).isEqualTo(Outcome.RejectionReason.TOKEN_FOREIGN);
        assertThat(refusal(onefold, SUBMIT, Key.ofToken("none", "ann")))
                .isEqualTo(Outcome.RejectionReason.TOKEN_MISSING);
        fixture().age(token, Duration.ofMinutes(10));
        assertThat(refusal(onefold, SUBMIT, Key.ofToken(token, "ann")))
                .isEqualTo(Outcome.RejectionReason.TOKEN_EXPIRED);
    }

    private static Outcome.RejectionReason refusal(Onefold onefold, Operation<String> operation, Key key) {
        Outcome<String> outcome = onefold.attempt(operation, key, attempt -> "must not run");
        return ((Outcome.Rejected<String>) outcome).reason();
    }

    @Test
    void a_crash_between_the_claim_and_the_removal_still_replays() {
        String token = tokens().issue(SUBMIT.name(), "ann");
        Onefold crashing = onefold(new ForwardingTokenStore(tokens()) {
            @Override
            public void remove(String removed) {
                throw new IllegalStateException("crashed");
            }
        });
        assertThat(crashing.<String, RuntimeException>run(SUBMIT, Key.ofToken(token, "ann"), attempt -> "first"))
                .isEqualTo("first");
        assertThat(tokens().check(token, SUBMIT.name(), "ann")).isEqualTo(TokenStore.TokenCheck.VALID);
        Onefold next = onefold(tokens());
        assertThat(next.<String, RuntimeException>attempt(SUBMIT, Key.ofToken(token, "ann"), attempt -> "second"))
                .isEqualTo(new Outcome.Replayed<>("first", true));
        fixture().age(token, Duration.ofMinutes(10));
        assertThat(next.<String, RuntimeException>attempt(SUBMIT, Key.ofToken(token, "ann"), attempt -> "third"))
                .as("the record answers, whatever became of the token")
                .isEqualTo(new Outcome.Replayed<>("first", true));
    }

    @Test
    void a_token_is_256_bits_of_which_nothing_is_stored() {
        String token = tokens().issue("submit", "ann");
        assertThat(token).matches("[A-Za-z0-9_-]{43}");
        byte[] bits = Base64.getUrlDecoder().decode(token);
        assertThat(bits).hasSize(32);
        assertThat(fixture().stored())
                .isNotEmpty()
                .allSatisfy(part -> assertThat(new String(part, ISO_8859_1))
                        .doesNotContain(token)
                        .doesNotContain(new String(bits, ISO_8859_1)));
    }

    @Test
    void no_two_tokens_are_the_same() {
        Set<String> tokens = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            tokens.add(tokens().issue("submit", "ann"));
        }
        assertThat(tokens).hasSize(100);
    }

    @Test
    void a_user_whom_no_key_could_carry_gets_no_token() {
        assertThatIllegalArgumentException().isThrownBy(() -> tokens().issue("submit", " "));
        assertThatIllegalArgumentException().isThrownBy(() -> tokens().issue("submit", "x".repeat(256)));
    }

    @Test
    void a_life_is_ten_minutes_unless_told_otherwise_and_never_nothing() {
        assertThat(tokens().life()).isEqualTo(Duration.ofMinutes(10));
        assertThat(fixture().tokens(Duration.ofHours(1)).life()).isEqualTo(Duration.ofHours(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fixture().tokens(Duration.ZERO))
                .withMessageContaining("PT0S");
    }
}
