package io.onefold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.onefold.payload.AesGcmSeal;
import io.onefold.payload.Fingerprint;
import io.onefold.payload.Fingerprinter;
import io.onefold.payload.JsonCodec;
import io.onefold.payload.ResultSerializer;
import io.onefold.payload.Seal;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the contract of stores does not say, because no store has a part in it. */
class OnefoldTest {
    private static final Operation<String> CHARGE = Operation.of("charge", String.class);

    private final ManualTimer timer = new ManualTimer();
    private final MemoryStore store = new MemoryStore(timer::micros);
    private final AtomicInteger runs = new AtomicInteger();
    private final Onefold onefold = engine().build();

    private Onefold.Builder engine() {
        return Onefold.builder(store).timer(timer).executor(Runnable::run);
    }

    private String work(Attempt attempt) {
        return "run " + runs.incrementAndGet() + " attempt " + attempt.number();
    }

    @Test
    void a_checked_exception_keeps_its_type_at_compile_time() {
        try {
            onefold.run(CHARGE, Key.of("k"), attempt -> {
                throw new IOException("provider");
            });
        } catch (IOException e) {
            assertThat(e).hasMessage("provider");
        }
        assertThat(onefold.find(CHARGE, Key.of("k")).map(StoredRecord::status)).contains(Status.UNKNOWN);
    }

    @Test
    void results_that_are_not_wanted_may_be_of_any_type() {
        Operation<Object> any = Operation.of("any", Object.class).maxResultBytes(0);
        Object made = new Object();

        assertThat(onefold.run(any, Key.of("k"), attempt -> made)).isSameAs(made);
        assertThat(onefold.attempt(any, Key.of("k"), attempt -> made))
                .isInstanceOfSatisfying(
                        Outcome.Replayed.class,
                        replayed -> assertThat(replayed.kept()).isFalse());
    }

    @Test
    void an_error_of_the_work_passes_as_it_is() {
        Error broken = new AssertionError("broken");

        assertThatThrownBy(() -> onefold.run(CHARGE, Key.of("k"), attempt -> {
                    throw broken;
                }))
                .isSameAs(broken);
        assertThat(onefold.find(CHARGE, Key.of("k")).map(StoredRecord::status)).contains(Status.UNKNOWN);
    }

    @Test
    void an_interrupt_ends_the_waiting_and_nothing_else() throws Exception {
        Onefold real = Onefold.on(store);
        CompletableFuture<String> running = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1);
        var owner = real.attemptAsync(CHARGE, Key.of("k"), attempt -> {
            begun.countDown();
            return running;
        });
        begun.await();
        Operation<String> patient = CHARGE.waitFor(Duration.ofMinutes(5));
        CompletableFuture<Outcome<String>> answer = new CompletableFuture<>();
        AtomicBoolean stillInterrupted = new AtomicBoolean();
        Thread waiter = new Thread(() -> {
            answer.complete(real.attempt(patient, Key.of("k"), this::work));
            stillInterrupted.set(Thread.currentThread().isInterrupted());
        });
        waiter.start();
        waiter.interrupt();
        assertThat(answer.get()).isInstanceOf(Outcome.InProgress.class);
        waiter.join();
        assertThat(stillInterrupted).isTrue();
        running.complete("done");
        assertThat(owner.get()).isEqualTo(new Outcome.Executed<>("done", true));
    }

    @Test
    void who_works_or_waits_holds_no_large_payload() throws Exception {
        Map<String, String> payload = Map.of("order", "7", "text", "x".repeat(100_000));
        Fingerprint first = Fingerprinter.standard().value(payload);
        Fingerprint second = Fingerprinter.standard().value(payload);
        Operation<String> patient = CHARGE.waitFor(Duration.ofMinutes(1));
        CompletableFuture<String> running = new CompletableFuture<>();
        var owner = onefold.attemptAsync(patient, Key.of("k").matching(first), attempt -> running);
        var waiter = onefold.attemptAsync(
                patient, Key.of("k").matching(second), attempt -> CompletableFuture.completedFuture(work(attempt)));
        assertThat(held(first)).isNull();
        assertThat(held(second)).isNull();
        running.completeExceptionally(new NotExecutedException("not now", null));
        assertThat(owner).isCompletedExceptionally();
        assertThat(waiter).isCompletedWithValue(new Outcome.Executed<>("run 1 attempt 2", true));
        Key other = Key.of("k").matching(Map.of("order", "8", "text", "x".repeat(100_000)));
        assertThat(onefold.attempt(CHARGE, other, this::work)).isEqualTo(new Outcome.Conflict<>(List.of("order")));
    }

    private static @Nullable Object held(Fingerprint print) throws ReflectiveOperationException {
        Field canonical = Fingerprint.class.getDeclaredField("canonical");
        canonical.setAccessible(true);
        return canonical.get(print);
    }

    @Test
    void work_that_interrupts_its_thread_is_recorded_all_the_same() {
        Outcome<String> outcome = onefold.attempt(CHARGE, Key.of("k"), attempt -> {
            Thread.currentThread().interrupt();
            return "done";
        });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isEqualTo(new Outcome.Executed<>("done", true));
    }

    @Test
    void a_short_lease_is_renewed_beside_a_long_one() {
        CompletableFuture<String> slow = new CompletableFuture<>();
        CompletableFuture<String> quick = new CompletableFuture<>();
        var first = onefold.attemptAsync(CHARGE, Key.of("slow"), attempt -> slow);
        var second = onefold.attemptAsync(CHARGE.lease(Duration.ofMillis(300)), Key.of("quick"), attempt -> quick);
        timer.pass(Duration.ofSeconds(60));
        for (String key : List.of("slow", "quick")) {
            StoredRecord record = onefold.find(CHARGE, Key.of(key)).orElseThrow();
            assertThat(record.leaseOver(timer.micros())).as(key).isFalse();
        }
        slow.complete("1");
        quick.complete("2");
        assertThat(first).isCompletedWithValue(new Outcome.Executed<>("1", true));
        assertThat(second).isCompletedWithValue(new Outcome.Executed<>("2", true));
    }

    @Test
    void a_claim_that_was_answered_after_its_lease_is_free_again_though_others_have_doubted_it() {
        Onefold other = engine().build();
        AtomicBoolean paused = new AtomicBoolean(true);
        Store pausing = new ForwardingStore(store) {
            @Override
            public ClaimResult claim(Claim claim) {
                ClaimResult claimed = behind.claim(claim);
                if (paused.getAndSet(false)) {
                    timer.pass(Duration.ofMinutes(1));
                    assertThat(other.attempt(CHARGE, Key.of("k"), OnefoldTest.this::work))
                            .isInstanceOf(Outcome.Unknown.class);
                }
                return claimed;
            }
        };
        Onefold late =
                Onefold.builder(pausing).timer(timer).executor(Runnable::run).build();

        assertThat(late.attempt(CHARGE.lease(Duration.ofSeconds(30)), Key.of("k"), this::work))
                .isInstanceOf(Outcome.InProgress.class);
        assertThat(other.attempt(CHARGE, Key.of("k"), this::work))
                .isEqualTo(new Outcome.Executed<>("run 1 attempt 1", true));
    }

    @Test
    void who_waited_longer_than_a_lease_has_a_whole_one_when_its_turn_comes() {
        Operation<String> brief = CHARGE.lease(Duration.ofSeconds(1))
                .waitFor(Duration.ofMinutes(1))
                .retryOn(IOException.class);
        CompletableFuture<String> slow = new CompletableFuture<>();
        var first = onefold.attemptAsync(brief, Key.of("k"), attempt -> slow);
        var second =
                onefold.attemptAsync(brief, Key.of("k"), attempt -> CompletableFuture.completedFuture(work(attempt)));
        timer.pass(Duration.ofSeconds(20));
        slow.completeExceptionally(new IOException("closed"));
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isCompletedWithValue(new Outcome.Executed<>("run 1 attempt 2", true));
    }

    @Test
    void many_short_leases_beside_a_long_one_leave_nothing_behind() {
        CompletableFuture<String> slow = new CompletableFuture<>();
        var first = onefold.attemptAsync(CHARGE, Key.of("slow"), attempt -> slow);
        for (int i = 0; i < 100; i++) {
            onefold.run(CHARGE.lease(Duration.ofMillis(300)), Key.of("quick " + i), this::work);
            timer.pass(Duration.ofMillis(50));
        }
        timer.pass(Duration.ofSeconds(3));
        assertThat(timer.pending()).as("ticks to come").isEqualTo(1);
        slow.complete("done");
        assertThat(first).isCompleted();
    }

    @Test
    void whoever_fails_when_told_of_a_lost_lease_keeps_no_other_lease_from_being_renewed() {
        CompletableFuture<String> slow = new CompletableFuture<>();
        var first = onefold.attemptAsync(CHARGE, Key.of("slow"), attempt -> slow);
        Operation<String> brief = CHARGE.lease(Duration.ofMillis(300), Duration.ofMillis(300));
        var lost = onefold.attemptAsync(brief, Key.of("brief"), attempt -> {
            attempt.onLeaseLost(() -> {
                throw new AssertionError("a bug");
            });
            return new CompletableFuture<>();
        });
        timer.pass(Duration.ofSeconds(60));
        assertThat(lost).isNotDone();
        StoredRecord record = onefold.find(CHARGE, Key.of("slow")).orElseThrow();
        assertThat(record.leaseOver(timer.micros())).isFalse();
        slow.complete("done");
        assertThat(first).isCompleted();
    }

    @Test
    void all_answers_about_an_unknown_outcome_name_the_same_time() {
        Store later = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("update")) {
                        timer.pass(Duration.ofMillis(3));
                    }
                    return method.invoke(store, arguments);
                });
        Onefold slow =
                Onefold.builder(later).timer(timer).executor(Runnable::run).build();
        Operation<String> lost = CHARGE.lease(Duration.ofSeconds(1), Duration.ofSeconds(1));
        var unused = slow.attemptAsync(lost, Key.of("since"), attempt -> new CompletableFuture<>());
        timer.pass(Duration.ofMinutes(1));
        Outcome<String> found = slow.attempt(lost, Key.of("since"), attempt -> "again");
        timer.pass(Duration.ofMinutes(1));
        assertThat(found).isInstanceOf(Outcome.Unknown.class);
        assertThat(slow.attempt(lost, Key.of("since"), attempt -> "again")).isEqualTo(found);
    }

    @Test
    void a_person_without_a_verdict_frees_nothing() {
        assertThatThrownBy(() -> onefold.run(CHARGE, Key.of("k"), attempt -> {
                    throw new IOException("provider");
                }))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> onefold.settle(CHARGE, Key.of("k"), noVerdict()))
                .hasMessageContaining("verdict");
        assertThat(onefold.settle(CHARGE, Key.of("k"), Verdict.unknown())).isFalse();
        assertThat(onefold.find(CHARGE, Key.of("k")).map(StoredRecord::status)).contains(Status.UNKNOWN);
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // what probes without types may do
    void a_verdict_whose_result_duplicates_could_not_get_is_refused_and_changes_nothing() {
        Operation<Integer> count = Operation.of("count", int.class);
        Operation<List<Integer>> counts = Operation.of("counts", new TypeRef<List<Integer>>() {});
        Operation<String> forgotten = CHARGE.maxResultBytes(0);
        for (Operation<?> operation : List.of(CHARGE, count, counts)) {
            assertThatThrownBy(() -> onefold.run((Operation) operation, Key.of("v"), attempt -> {
                        throw new IOException("provider");
                    }))
                    .isInstanceOf(IOException.class);
        }
        refused(CHARGE, 42);
        refused(CHARGE, new Object());
        refused(count, "42");
        refused(count, 42L);
        refused(count, null);
        refused(counts, List.of("a"));
        refused(counts, 7);

        assertThat(onefold.settle(CHARGE, Key.of("v"), Verdict.executed("done")))
                .isTrue();
        assertThat(onefold.settle(count, Key.of("v"), Verdict.executed(42))).isTrue();
        assertThat(onefold.settle(counts, Key.of("v"), Verdict.executed(List.of(1))))
                .isTrue();
        assertThat(onefold.run(count, Key.of("v"), attempt -> 1)).isEqualTo(42);
        assertThat(onefold.run(counts, Key.of("v"), attempt -> List.of())).containsExactly(1);

        assertThatThrownBy(() -> onefold.run(forgotten, Key.of("w"), attempt -> {
                    throw new IOException("provider");
                }))
                .isInstanceOf(IOException.class);
        assertThat(onefold.settle((Operation) forgotten, Key.of("w"), Verdict.executed(42)))
                .as("where no result is kept, any will do")
                .isTrue();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private void refused(Operation<?> operation, @Nullable Object result) {
        assertThatThrownBy(() -> onefold.settle((Operation) operation, Key.of("v"), Verdict.executed(result)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("verdict")
                .hasMessageContaining(operation.name());
        assertThat(onefold.find(operation, Key.of("v")).map(StoredRecord::status))
                .contains(Status.UNKNOWN);
    }

    @SuppressWarnings("NullAway") // what callers without null checks may do
    private static Verdict<String> noVerdict() {
        return null;
    }

    @Test
    void a_lost_payload_that_was_overwritten_stays_so() {
        Operation<String> nickname =
                Operation.of("nickname", String.class).overwrite().safeToRepeat();
        Onefold gone = Onefold.builder(store)
                .timer(new ManualTimer())
                .executor(Runnable::run)
                .build();
        var unused = gone.attemptAsync(nickname, Key.of("ann").matching("A"), attempt -> new CompletableFuture<>());
        timer.pass(Duration.ofSeconds(30));
        assertThat(onefold.run(nickname, Key.of("ann").matching("B"), this::work))
                .isEqualTo("run 1 attempt 1");
        assertThat(refusal(onefold.attempt(nickname, Key.of("ann").matching("A"), this::work)))
                .isEqualTo(Outcome.RejectionReason.SUPERSEDED);
    }

    @Test
    void a_second_click_is_refused_in_the_operations_own_words() {
        Operation<String> form = CHARGE.rejectDuplicates("please do not click twice");
        CompletableFuture<String> running = new CompletableFuture<>();
        var first = onefold.attemptAsync(form, Key.of("k"), attempt -> running);
        assertThat(onefold.attempt(form, Key.of("k"), this::work))
                .isEqualTo(new Outcome.Rejected<>(Outcome.RejectionReason.DUPLICATE, "please do not click twice"));
        running.complete("done");
        assertThat(first).isCompleted();
    }

    @Test
    void an_exception_names_the_operation_and_the_safe_form_of_the_key() {
        onefold.run(CHARGE, Key.of("ann@example.org").matching("a"), this::work);
        String safe = onefold.find(CHARGE, Key.of("ann@example.org"))
                .orElseThrow()
                .id()
                .safe();
        assertThatThrownBy(() -> onefold.run(CHARGE, Key.of("ann@example.org").matching("b"), this::work))
                .isInstanceOf(ConflictException.class)
                .hasMessageStartingWith("charge key " + safe + ": ")
                .hasMessageNotContaining("ann");
    }

    @Test
    void a_retry_without_payload_leaves_the_payload_that_is_known() {
        Operation<String> operation = CHARGE.retryOn(IOException.class);
        assertThatThrownBy(
                        () -> onefold.run(operation, Key.of("k").matching("a").bizId("order-7"), attempt -> {
                            throw new IOException("closed");
                        }))
                .isInstanceOf(IOException.class);
        assertThat(onefold.run(operation, Key.of("k"), this::work)).isEqualTo("run 1 attempt 2");
        assertThat(onefold.attempt(operation, Key.of("k").matching("b"), this::work))
                .isInstanceOf(Outcome.Conflict.class);
        assertThat(onefold.find(operation, Key.of("k")).map(StoredRecord::bizId))
                .contains("order-7");
    }

    @Test
    void asynchronous_work_that_returns_nothing_is_in_doubt() {
        var answer = onefold.attemptAsync(CHARGE, Key.of("k"), attempt -> nothing());
        assertThat(answer).isCompletedExceptionally();
        assertThat(onefold.find(CHARGE, Key.of("k")).map(StoredRecord::status)).contains(Status.UNKNOWN);
    }

    @SuppressWarnings("NullAway") // what callers without null checks may do
    private static CompletableFuture<String> nothing() {
        return null;
    }

    @Test
    void a_seal_that_cannot_be_had_delays_the_record_and_not_the_effect() {
        AtomicBoolean broken = new AtomicBoolean(true);
        Seal seal = AesGcmSeal.of("k1", Map.of("k1", new byte[32]));
        Seal remote = new Seal() {
            @Override
            public String keyId() {
                return seal.keyId();
            }

            @Override
            public byte[] seal(byte[] plain, byte[] associated) {
                if (broken.get()) {
                    throw new IllegalStateException("the key server is down");
                }
                return seal.seal(plain, associated);
            }

            @Override
            public byte[] open(String keyId, byte[] sealed, byte[] associated) {
                return seal.open(keyId, sealed, associated);
            }
        };
        Onefold sealed = engine().results(ResultSerializer.with(new JsonCodec()).sealedBy(remote))
                .build();
        var answer =
                sealed.attemptAsync(CHARGE, Key.of("k"), attempt -> CompletableFuture.completedFuture(work(attempt)));
        timer.pass(Duration.ofSeconds(1));
        assertThat(answer).isNotDone();
        broken.set(false);
        timer.pass(Duration.ofSeconds(2));
        assertThat(answer).isCompletedWithValue(new Outcome.Executed<>("run 1 attempt 1", true));
        assertThat(sealed.run(CHARGE, Key.of("k"), this::work)).isEqualTo("run 1 attempt 1");
    }

    @Test
    void once_closed_nothing_new_begins_and_what_has_begun_ends() {
        CompletableFuture<String> running = new CompletableFuture<>();
        var answer = onefold.attemptAsync(CHARGE, Key.of("k"), attempt -> running);
        onefold.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> onefold.run(CHARGE, Key.of("new"), this::work))
                .withMessageContaining("charge");
        assertThat(onefold.find(CHARGE, Key.of("new"))).isEmpty();
        running.complete("done");
        assertThat(answer).isCompletedWithValue(new Outcome.Executed<>("done", true));
    }

    @Test
    void a_type_that_no_codec_carries_is_refused_before_anything_is_claimed() {
        Operation<Thread> odd = Operation.of("odd", Thread.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> onefold.run(odd, Key.of("k"), attempt -> Thread.currentThread()))
                .withMessageContaining("java.lang.Thread");
        assertThat(onefold.find(odd, Key.of("k"))).isEmpty();
    }

    @Test
    void equal_content_runs_once_in_its_window_and_again_after_it() {
        Key key = Key.ofContent(Map.of("to", "bob", "cents", 100), Duration.ofMinutes(10));
        assertThat(onefold.run(CHARGE, key, this::work)).isEqualTo("run 1 attempt 1");
        timer.pass(Duration.ofMinutes(9));
        assertThat(onefold.run(CHARGE, key, this::work)).isEqualTo("run 1 attempt 1");
        timer.pass(Duration.ofMinutes(1));
        assertThat(onefold.run(CHARGE, key, this::work)).isEqualTo("run 2 attempt 1");
    }

    @Test
    void a_token_allows_one_execution_to_its_user() {
        Map<String, String> issued = new HashMap<>(Map.of("t", "charge for ann"));
        Onefold tokened = engine().tokens(new SimpleTokens(issued)).build();
        assertThat(refusal(tokened.attempt(CHARGE, Key.ofToken("x", "ann"), this::work)))
                .isEqualTo(Outcome.RejectionReason.TOKEN_MISSING);
        assertThat(refusal(tokened.attempt(CHARGE, Key.ofToken("t", "bob"), this::work)))
                .isEqualTo(Outcome.RejectionReason.TOKEN_FOREIGN);
        assertThat(tokened.run(CHARGE, Key.ofToken("t", "ann"), this::work)).isEqualTo("run 1 attempt 1");
        assertThat(issued).as("the claim has consumed it").isEmpty();
        assertThat(tokened.run(CHARGE, Key.ofToken("t", "ann"), this::work)).isEqualTo("run 1 attempt 1");
        assertThat(refusal(tokened.attempt(CHARGE, Key.ofToken("t", "bob"), this::work)))
                .isEqualTo(Outcome.RejectionReason.TOKEN_MISSING);
    }

    @Test
    void a_token_that_another_uses_up_between_the_look_and_the_check_replays() {
        Map<String, String> issued = new HashMap<>(Map.of("t", "charge for ann"));
        Onefold first = engine().tokens(new SimpleTokens(issued)).build();
        Onefold second = engine().tokens(new SimpleTokens(issued) {
                    @Override
                    public TokenCheck check(String token, String operation, String user) {
                        first.run(CHARGE, Key.ofToken("t", "ann"), OnefoldTest.this::work);
                        return super.check(token, operation, user);
                    }
                })
                .build();
        assertThat(second.attempt(CHARGE, Key.ofToken("t", "ann"), this::work))
                .isEqualTo(new Outcome.Replayed<>("run 1 attempt 1", true));
    }

    private static Outcome.RejectionReason refusal(Outcome<String> outcome) {
        return ((Outcome.Rejected<String>) outcome).reason();
    }

    @Test
    void tokens_must_not_outlive_the_records_that_consumed_them() {
        Onefold tokened = engine().tokens(new SimpleTokens(new HashMap<>())).build();
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> tokened.run(CHARGE.keepFor(Duration.ofMinutes(1)), Key.ofToken("t", "ann"), this::work))
                .withMessageContaining("PT1M")
                .withMessageContaining("PT10M");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> onefold.run(CHARGE, Key.ofToken("t", "ann"), this::work))
                .withMessageContaining("no Tokens");
    }

    @Test
    void each_duplicate_leaves_one_line_with_the_safe_form_of_its_key() {
        Logger logger = (Logger) LoggerFactory.getLogger("io.onefold.duplicates");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Level before = logger.getLevel();
        logger.setLevel(Level.INFO);
        lines.start();
        logger.addAppender(lines);
        try {
            Key key = Key.of("ann@example.org").in("tenant-x").matching("a");
            onefold.run(CHARGE, key, this::work);
            assertThat(lines.list).as("the first is no duplicate").isEmpty();
            onefold.run(CHARGE, key, this::work);
            onefold.attempt(CHARGE, key.matching("b"), this::work);
            String safe = onefold.find(CHARGE, key).orElseThrow().id().safe();
            assertThat(safe).matches("[0-9a-f]{12}");
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly("REPLAYED charge key " + safe, "CONFLICT charge key " + safe);
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(before);
        }
    }

    private static class SimpleTokens implements TokenStore {
        private final Map<String, String> issued;

        SimpleTokens(Map<String, String> issued) {
            this.issued = issued;
        }

        @Override
        public String issue(String operation, String user) {
            issued.put("token", operation + " for " + user);
            return "token";
        }

        @Override
        public TokenCheck check(String token, String operation, String user) {
            String grant = issued.get(token);
            return grant == null
                    ? TokenCheck.MISSING
                    : grant.equals(operation + " for " + user) ? TokenCheck.VALID : TokenCheck.FOREIGN;
        }

        @Override
        public void remove(String token) {
            issued.remove(token);
        }

        @Override
        public Duration life() {
            return Duration.ofMinutes(10);
        }
    }
}
