package io.onefold.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Presets;
import io.onefold.Tokens;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JdbcTokensTest {
    private static final Operation<String> SUBMIT =
            Operation.of("submit", String.class).keepFor(Presets.FORM);
    private static final int CALLS = 8;

    private final Map<Database, Opened> opened = new EnumMap<>(Database.class);

    /** One database for all tests: tokens do not meet each other. */
    private record Opened(DataSource source, JdbcStore store, JdbcTokens tokens) {
        Onefold onefold(Tokens tokens) {
            return Onefold.builder(store).tokens(tokens).build();
        }
    }

    private Opened on(Database database) {
        return opened.computeIfAbsent(database, which -> {
            DataSource source = Database.pool(which.fresh(), CALLS);
            JdbcStore store = JdbcStore.of(source);
            return new Opened(source, store, JdbcTokens.on(source));
        });
    }

    @ParameterizedTest
    @EnumSource
    void a_token_is_valid_for_its_operation_and_user_until_it_is_removed(Database database) {
        JdbcTokens tokens = on(database).tokens();
        String token = tokens.issue("submit", "ann");
        assertThat(tokens.check(token, "submit", "ann")).isEqualTo(Tokens.Check.VALID);
        assertThat(tokens.check(token, "submit", "ann"))
                .as("a look uses nothing up")
                .isEqualTo(Tokens.Check.VALID);
        tokens.remove(token);
        assertThat(tokens.check(token, "submit", "ann")).isEqualTo(Tokens.Check.MISSING);
        tokens.remove(token);
    }

    @ParameterizedTest
    @EnumSource
    void a_token_that_nobody_issued_is_missing(Database database) {
        JdbcTokens tokens = on(database).tokens();
        assertThat(Stream.of("", "no", "' or 1 = 1 --", "x".repeat(10_000), "\u0000", "\ud83d\ude00")
                        .map(token -> tokens.check(token, "submit", "ann")))
                .containsOnly(Tokens.Check.MISSING);
    }

    @ParameterizedTest
    @EnumSource
    void another_user_or_operation_is_foreign_down_to_case_accents_and_blanks(Database database) {
        JdbcTokens tokens = on(database).tokens();
        String token = tokens.issue("submit", "René");
        assertThat(Stream.of("rené", "René ", "Rene", "Rene\u0301", "RENÉ", "bob", "")
                        .map(user -> tokens.check(token, "submit", user)))
                .containsOnly(Tokens.Check.FOREIGN);
        assertThat(Stream.of("Submit", "submit ", "other", "").map(operation -> tokens.check(token, operation, "René")))
                .containsOnly(Tokens.Check.FOREIGN);
        assertThat(tokens.check(token, "submit", "René")).isEqualTo(Tokens.Check.VALID);
    }

    @ParameterizedTest
    @EnumSource
    void a_token_expires_by_the_clock_of_the_database_and_is_forgotten_after_another_life(Database database)
            throws SQLException {
        Opened on = on(database);
        String token = on.tokens().issue("submit", "ann");
        age(on.source(), token, Duration.ofMinutes(9));
        assertThat(on.tokens().check(token, "submit", "ann")).isEqualTo(Tokens.Check.VALID);
        age(on.source(), token, Duration.ofMinutes(1));
        assertThat(on.tokens().check(token, "submit", "ann")).isEqualTo(Tokens.Check.EXPIRED);
        assertThat(on.tokens().check(token, "submit", "bob")).isEqualTo(Tokens.Check.FOREIGN);
        age(on.source(), token, Duration.ofMinutes(9));
        on.tokens().issue("submit", "ann");
        assertThat(on.tokens().check(token, "submit", "ann")).isEqualTo(Tokens.Check.EXPIRED);
        age(on.source(), token, Duration.ofMinutes(1));
        on.tokens().issue("submit", "ann");
        assertThat(on.tokens().check(token, "submit", "ann")).isEqualTo(Tokens.Check.MISSING);
    }

    @ParameterizedTest
    @EnumSource
    void what_is_long_expired_is_deleted_a_few_at_a_time(Database database) throws SQLException {
        Opened on = on(database);
        List<String> old = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            old.add(on.tokens().issue("submit", "ann"));
        }
        for (String token : old) {
            age(on.source(), token, Duration.ofHours(1));
        }
        List<Long> left = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            on.tokens().issue("submit", "ann");
            left.add(old.stream()
                    .filter(token -> on.tokens().check(token, "submit", "ann") != Tokens.Check.MISSING)
                    .count());
        }
        assertThat(left).containsExactly(12L, 4L, 0L);
    }

    @ParameterizedTest
    @EnumSource
    void of_calls_at_once_with_one_token_one_runs_and_the_others_replay(Database database) {
        Opened on = on(database);
        Onefold onefold = on.onefold(on.tokens());
        String token = on.tokens().issue(SUBMIT.name(), "ann");
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(CALLS);
        List<CompletableFuture<Outcome<String>>> calls = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> {
                            start.countDown();
                            awaitAll(start);
                            return onefold.attempt(
                                    SUBMIT.waitFor(Duration.ofMinutes(1)),
                                    Key.ofToken(token, "ann"),
                                    attempt -> "run " + runs.incrementAndGet());
                        },
                        task -> new Thread(task).start()))
                .limit(CALLS)
                .toList();
        List<Outcome<String>> outcomes =
                calls.stream().map(CompletableFuture::join).toList();
        assertThat(runs).hasValue(1);
        assertThat(outcomes).extracting(Outcome::orThrow).containsOnly("run 1");
        assertThat(outcomes)
                .filteredOn(outcome -> outcome instanceof Outcome.Replayed)
                .hasSize(CALLS - 1);
        assertThat(on.tokens().check(token, SUBMIT.name(), "ann")).as("used up").isEqualTo(Tokens.Check.MISSING);
    }

    @ParameterizedTest
    @EnumSource
    void a_token_that_another_uses_up_between_the_look_and_the_check_replays(Database database) {
        Opened on = on(database);
        for (Door door : Door.values()) {
            Key key = Key.ofToken(on.tokens().issue(SUBMIT.name(), "ann"), "ann");
            Tokens overtaken = new Wrapped(on.tokens()) {
                @Override
                public Check check(String token, String operation, String user) {
                    assertThat(door.attempt(on.onefold(on.tokens()), key, "first"))
                            .isEqualTo(new Outcome.Executed<>("first", true));
                    return super.check(token, operation, user);
                }
            };
            assertThat(door.attempt(on.onefold(overtaken), key, "second"))
                    .as(door.name())
                    .isEqualTo(new Outcome.Replayed<>("first", true));
        }
    }

    private enum Door {
        LEASED,
        IN_TRANSACTION;

        Outcome<String> attempt(Onefold onefold, Key key, String result) {
            return this == LEASED
                    ? onefold.attempt(SUBMIT, key, attempt -> result)
                    : onefold.attemptInTransaction(SUBMIT, key, (attempt, connection) -> result);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_token_of_another_user_or_operation_and_an_expired_one_are_refused(Database database) throws SQLException {
        Opened on = on(database);
        Onefold onefold = on.onefold(on.tokens());
        String token = on.tokens().issue(SUBMIT.name(), "ann");
        Operation<String> other = Operation.of("other", String.class);
        assertThat(refusal(onefold, SUBMIT, Key.ofToken(token, "bob"))).isEqualTo(Outcome.Reason.TOKEN_FOREIGN);
        assertThat(refusal(onefold, other, Key.ofToken(token, "ann"))).isEqualTo(Outcome.Reason.TOKEN_FOREIGN);
        assertThat(refusal(onefold, SUBMIT, Key.ofToken("none", "ann"))).isEqualTo(Outcome.Reason.TOKEN_MISSING);
        age(on.source(), token, Duration.ofMinutes(10));
        assertThat(refusal(onefold, SUBMIT, Key.ofToken(token, "ann"))).isEqualTo(Outcome.Reason.TOKEN_EXPIRED);
    }

    @ParameterizedTest
    @EnumSource
    void a_crash_between_the_claim_and_the_removal_still_replays(Database database) throws SQLException {
        Opened on = on(database);
        String token = on.tokens().issue(SUBMIT.name(), "ann");
        Onefold crashing = on.onefold(new Irremovable(on.tokens()));
        assertThat(crashing.<String, RuntimeException>run(SUBMIT, Key.ofToken(token, "ann"), attempt -> "first"))
                .isEqualTo("first");
        assertThat(on.tokens().check(token, SUBMIT.name(), "ann")).isEqualTo(Tokens.Check.VALID);
        Onefold next = on.onefold(on.tokens());
        assertThat(next.<String, RuntimeException>attempt(SUBMIT, Key.ofToken(token, "ann"), attempt -> "second"))
                .isEqualTo(new Outcome.Replayed<>("first", true));
        age(on.source(), token, Duration.ofMinutes(10));
        assertThat(next.<String, RuntimeException>attempt(SUBMIT, Key.ofToken(token, "ann"), attempt -> "third"))
                .as("the record answers, whatever became of the token")
                .isEqualTo(new Outcome.Replayed<>("first", true));
    }

    @ParameterizedTest
    @EnumSource
    void the_table_has_the_hash_of_a_token_and_nothing_else_of_it(Database database) throws SQLException {
        Opened on = on(database);
        String token = on.tokens().issue("submit", "ann");
        assertThat(token).matches("[A-Za-z0-9_-]{43}");
        assertThat(Base64.getUrlDecoder().decode(token)).hasSize(32);
        List<byte[]> hashes = new ArrayList<>();
        try (Connection connection = on.source().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select * from onefold_token")) {
            while (row.next()) {
                hashes.add(row.getBytes("token_hash"));
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    assertThat(row.getString(i)).doesNotContain(token);
                }
            }
        }
        assertThat(hashes).contains(JdbcTokens.hash(token)).doesNotContain(token.getBytes(UTF_8));
    }

    @ParameterizedTest
    @EnumSource
    void without_its_table_the_tokens_do_not_open_and_say_how_to_make_it(Database database) {
        assertThatIllegalStateException()
                .isThrownBy(() -> JdbcTokens.on(database.fresh()))
                .withMessageContaining("onefold_token")
                .withMessageContaining("io/onefold/jdbc/schema/");
    }

    @Test
    void a_user_whom_no_key_could_carry_gets_no_token() {
        JdbcTokens tokens = on(Database.H2).tokens();
        assertThatIllegalArgumentException().isThrownBy(() -> tokens.issue("submit", " "));
        assertThatIllegalArgumentException().isThrownBy(() -> tokens.issue("submit", "x".repeat(256)));
    }

    @Test
    void a_life_is_ten_minutes_unless_told_otherwise_and_never_nothing() {
        assertThat(on(Database.H2).tokens().life()).isEqualTo(Duration.ofMinutes(10));
        DataSource source = on(Database.H2).source();
        assertThat(JdbcTokens.on(source, Duration.ofHours(1)).life()).isEqualTo(Duration.ofHours(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JdbcTokens.on(source, Duration.ZERO))
                .withMessageContaining("PT0S");
    }

    /** Time passes for one token. */
    private static void age(DataSource source, String token, Duration by) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "update onefold_token set expire_at = expire_at - ? where token_hash = ?")) {
            statement.setLong(1, by.toNanos() / 1_000);
            statement.setBytes(2, JdbcTokens.hash(token));
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }

    private static Outcome.Reason refusal(Onefold onefold, Operation<String> operation, Key key) {
        Outcome<String> outcome = onefold.attempt(operation, key, attempt -> "must not run");
        return ((Outcome.Refused<String>) outcome).reason();
    }

    private static void awaitAll(CountDownLatch start) {
        try {
            start.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static class Wrapped implements Tokens {
        private final Tokens tokens;

        Wrapped(Tokens tokens) {
            this.tokens = tokens;
        }

        @Override
        public String issue(String operation, String user) {
            return tokens.issue(operation, user);
        }

        @Override
        public Check check(String token, String operation, String user) {
            return tokens.check(token, operation, user);
        }

        @Override
        public void remove(String token) {
            tokens.remove(token);
        }

        @Override
        public Duration life() {
            return tokens.life();
        }
    }

    /** Of a process that ends after its claim. */
    private static final class Irremovable extends Wrapped {
        Irremovable(Tokens tokens) {
            super(tokens);
        }

        @Override
        public void remove(String token) {
            throw new IllegalStateException("crashed");
        }
    }
}
