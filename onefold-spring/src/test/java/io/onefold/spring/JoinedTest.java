package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.ConflictException;
import io.onefold.InProgressException;
import io.onefold.OperationFailedException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionTemplate;

/** Methods whose record and effect are in one transaction. */
class JoinedTest {
    private AnnotationConfigApplicationContext context;
    private Ledger ledger;
    private JdbcTemplate jdbc;

    @BeforeEach
    void start() {
        context = Context.onH2(Ledger.class, Other.class, Seeing.class);
        ledger = context.getBean(Ledger.class);
        jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("create table entry (id varchar(40), amount int not null)");
    }

    @AfterEach
    void stop() {
        context.close();
    }

    private int entries() {
        return count("entry");
    }

    private int records() {
        return count("idempotent_record where status = 1");
    }

    private int count(String what) {
        return Objects.requireNonNull(jdbc.queryForObject("select count(*) from " + what, Integer.class));
    }

    @Test
    void a_transactional_method_is_joined_without_saying_so() {
        IdempotentMethodRegistry methods = context.getBean(IdempotentMethodRegistry.class);
        assertThat(methods.all())
                .filteredOn(method -> method.name().equals("post"))
                .singleElement()
                .satisfies(method -> assertThat(method.mode()).isEqualTo(TransactionMode.JOINED));
    }

    @Test
    void record_and_effect_are_there_together_and_once() {
        assertThat(ledger.post("a", 5)).isEqualTo("posted a");
        assertThat(ledger.post("a", 5)).isEqualTo("posted a");
        assertThat(entries()).isEqualTo(1);
        assertThat(records()).isEqualTo(1);
    }

    @Test
    void an_exception_leaves_neither_record_nor_effect_and_the_next_attempt_runs() {
        assertThatThrownBy(() -> ledger.failing("a", true)).isInstanceOf(IllegalStateException.class);
        assertThat(entries()).isZero();
        assertThat(records()).isZero();
        ledger.failing("a", false);
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void a_checked_exception_commits_as_without_the_annotation_and_the_record_says_that_it_failed() {
        assertThatThrownBy(() -> ledger.checked("a")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ledger.checked("a")).isInstanceOf(OperationFailedException.class);
        assertThat(entries()).isEqualTo(1);
        assertThat(records()).isZero();
    }

    @Test
    void a_commit_that_fails_is_no_success() {
        assertThatThrownBy(() -> ledger.post("a", 5, true)).isInstanceOf(DataIntegrityViolationException.class);
        assertThat(entries()).isZero();
        assertThat(records()).isZero();
    }

    @Test
    void the_record_goes_with_the_callers_transaction() {
        TransactionTemplate template = new TransactionTemplate(context.getBean(DataSourceTransactionManager.class));
        template.executeWithoutResult(status -> {
            ledger.post("a", 5);
            // a second call in it sees the first
            assertThat(ledger.post("a", 5)).isEqualTo("posted a");
            status.setRollbackOnly();
        });
        assertThat(entries()).isZero();
        assertThat(records()).isZero();
        template.executeWithoutResult(status -> ledger.post("a", 5));
        assertThat(entries()).isEqualTo(1);
        assertThat(records()).isEqualTo(1);
    }

    @Test
    void a_failure_that_the_caller_swallows_still_rolls_its_transaction_back() {
        TransactionTemplate template = new TransactionTemplate(context.getBean(DataSourceTransactionManager.class));
        assertThatThrownBy(() -> template.executeWithoutResult(status -> {
                    try {
                        ledger.failing("a", true);
                    } catch (IllegalStateException swallowed) {
                        // as some do
                    }
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(entries()).isZero();
    }

    @Test
    void concurrent_duplicates_have_one_effect_and_one_answer() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Callable<String>> calls = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            calls.add(() -> ledger.post("a", 5));
        }
        for (Future<String> answer : threads.invokeAll(calls, 20, TimeUnit.SECONDS)) {
            assertThat(answer.get()).isEqualTo("posted a");
        }
        threads.shutdown();
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void in_a_callers_transaction_a_duplicate_is_busy_at_once() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Thread first = new Thread(() -> ledger.holding("a", inside, go));
        first.start();
        assertThat(inside.await(5, TimeUnit.SECONDS)).isTrue();
        TransactionTemplate template = new TransactionTemplate(context.getBean(DataSourceTransactionManager.class));
        assertThatThrownBy(() -> template.executeWithoutResult(status -> ledger.holding("a", inside, go)))
                .isInstanceOf(InProgressException.class);
        go.countDown();
        first.join(5000);
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void a_changed_payload_is_a_conflict() {
        ledger.post("a", 5);
        assertThatThrownBy(() -> ledger.post("a", 6)).isInstanceOf(ConflictException.class);
    }

    @Test
    void a_response_is_kept_in_the_transaction_and_rendered_again() {
        ResponseEntity<String> first = ledger.answer("a");
        ResponseEntity<String> again = ledger.answer("a");
        assertThat(first.getHeaders().getFirst("Set-Cookie")).isEqualTo("s=1");
        assertThat(again.getStatusCode()).isEqualTo(HttpStatus.CREATED);
        assertThat(again.getBody()).isEqualTo("made a");
        assertThat(again.getHeaders().getFirst("Location")).isEqualTo("/entries/a");
        assertThat(again.getHeaders().getFirst("Set-Cookie")).isNull();
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void a_leased_method_inside_of_a_transaction_is_refused() {
        TransactionTemplate template = new TransactionTemplate(context.getBean(DataSourceTransactionManager.class));
        assertThatThrownBy(() -> template.executeWithoutResult(
                        status -> context.getBean(Other.class).leased("a")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Mode.JOINED");
    }

    @Test
    void a_transaction_of_its_own_inside_is_not_joined() {
        IdempotentMethodRegistry methods = context.getBean(IdempotentMethodRegistry.class);
        assertThat(methods.all())
                .filteredOn(method -> method.name().equals("own"))
                .singleElement()
                .satisfies(method -> assertThat(method.mode()).isEqualTo(TransactionMode.LEASED));
        context.getBean(Other.class).own("a");
        context.getBean(Other.class).own("a");
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void a_transaction_that_the_method_gives_up_leaves_nothing_and_its_answer_stands() {
        assertThat(ledger.declined("a")).isEqualTo("declined");
        assertThat(entries()).isZero();
        assertThat(records()).isZero();
    }

    @Test
    void a_method_whose_transaction_is_given_up_has_run_once_and_its_caller_may_retry() {
        for (int i = 1; i <= 3; i++) {
            assertThatThrownBy(() -> ledger.contended("a"))
                    .isInstanceOf(ConcurrencyFailureException.class)
                    .isInstanceOf(RetryableTransactionException.class)
                    .hasRootCauseInstanceOf(SQLException.class);
            assertThat(ledger.tries()).isEqualTo(i);
        }
        assertThat(entries()).isZero();
        assertThat(count("idempotent_record")).as("it is no attempt").isZero();
        assertThat(ledger.contended("a")).isEqualTo("posted a");
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void in_a_callers_transaction_it_may_be_retried_as_well() {
        TransactionTemplate template = new TransactionTemplate(context.getBean(DataSourceTransactionManager.class));
        assertThatThrownBy(() -> template.executeWithoutResult(status -> ledger.contended("a")))
                .isInstanceOf(RetryableTransactionException.class);
        assertThat(ledger.tries()).isEqualTo(1);
        assertThat(entries()).isZero();
        assertThat(count("idempotent_record")).isZero();
    }

    @Test
    void a_pass_that_is_repeated_goes_through_all_that_is_around_the_method() {
        Seeing seeing = context.getBean(Seeing.class);
        assertThat(ledger.contendedAgain("a")).isEqualTo("posted a");
        assertThat(seeing.seen()).isEqualTo(4);
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void a_call_far_inside_of_the_same_record_is_part_of_it() {
        assertThat(ledger.outer("a", 2)).isEqualTo("outer inner outer inner outer");
        assertThat(entries()).isEqualTo(3);
        assertThat(ledger.outer("a", 2)).isEqualTo("outer inner outer inner outer");
        assertThat(entries()).isEqualTo(3);
    }

    @Test
    void an_unnamed_manager_that_is_not_the_stores_is_not_joined() throws Exception {
        SpringTransactionSupport others = new SpringTransactionSupport(
                context.getBean(DataSourceTransactionManager.class),
                context.getBean(DataSource.class),
                new AnnotationTransactionAttributeSource(),
                Set.of("store"));
        assertThat(others.trouble(Ledger.class.getMethod("post", String.class, int.class), Ledger.class))
                .contains("the primary manager");
    }

    @Test
    void what_cannot_be_joined_is_told_at_the_start() {
        assertThatThrownBy(() -> Context.onH2(Impossible.class))
                .hasMessageContaining("Impossible.run is to be joined, but REQUIRES_NEW begins another transaction");
        assertThatThrownBy(() -> Context.inMemory(Wanting.class))
                .hasMessageContaining("the store cannot write records in a transaction");
    }

    static class Ledger {
        private final JdbcTemplate jdbc;

        private final ObjectProvider<Ledger> self;
        private final AtomicInteger tries = new AtomicInteger();

        Ledger(JdbcTemplate jdbc, ObjectProvider<Ledger> self) {
            this.jdbc = jdbc;
            this.self = self;
        }

        @Transactional
        @Idempotent(operation = "post", key = "#id")
        public String post(String id, int amount) {
            jdbc.update("insert into entry values (?, ?)", id, amount);
            return "posted " + id;
        }

        @Transactional
        @Idempotent(operation = "post-constrained", key = "#id")
        public String post(String id, int amount, boolean broken) {
            jdbc.update("insert into entry values (?, ?)", id, broken ? null : amount);
            return "posted " + id;
        }

        @Transactional
        @Idempotent(operation = "fail", key = "#id", matching = "''")
        public void failing(String id, boolean fails) {
            jdbc.update("insert into entry values (?, 1)", id);
            if (fails) {
                throw new IllegalStateException("no");
            }
        }

        @Transactional
        @Idempotent(operation = "checked", key = "#id")
        public void checked(String id) throws IOException {
            jdbc.update("insert into entry values (?, 1)", id);
            throw new IOException("no");
        }

        @Transactional
        @Idempotent(operation = "hold", key = "#id", matching = "''")
        public void holding(String id, CountDownLatch inside, CountDownLatch go) {
            jdbc.update("insert into entry values (?, 1)", id);
            inside.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Transactional
        @Idempotent(operation = "declined", key = "#id")
        public String declined(String id) {
            jdbc.update("insert into entry values (?, 1)", id);
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
            return "declined";
        }

        @Transactional
        @Idempotent(operation = "contended", key = "#id", maxAttempts = 1)
        public String contended(String id) {
            return givenUpThrice(id);
        }

        @Transactional
        @Idempotent(operation = "contended-again", key = "#id", repeatOnConflict = true)
        public String contendedAgain(String id) {
            return givenUpThrice(id);
        }

        public int tries() {
            return tries.get();
        }

        private String givenUpThrice(String id) {
            jdbc.update("insert into entry values (?, 1)", id);
            if (tries.incrementAndGet() <= 3) {
                throw new CannotAcquireLockException("given up", new SQLException("deadlock", "40001", 40001));
            }
            return "posted " + id;
        }

        @Transactional
        @Idempotent(operation = "outer", key = "#id", matching = "''")
        public String outer(String id, int left) {
            jdbc.update("insert into entry values (?, 1)", id);
            return "outer" + (left == 0 ? "" : " " + self.getObject().inner(id, left));
        }

        @Transactional
        @Idempotent(operation = "inner", key = "#id", matching = "''")
        public String inner(String id, int left) {
            return "inner " + self.getObject().outer(id, left - 1);
        }

        @Transactional
        @Idempotent(operation = "answer", key = "#id")
        public ResponseEntity<String> answer(String id) {
            jdbc.update("insert into entry values (?, 1)", id);
            return ResponseEntity.status(HttpStatus.CREATED)
                    .header("Location", "/entries/" + id)
                    .header("Set-Cookie", "s=1")
                    .body("made " + id);
        }
    }

    /** An advice between Onefold's and the method. */
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static class Seeing extends StaticMethodMatcherPointcutAdvisor implements InitializingBean {
        private static final long serialVersionUID = 1;
        private int seen;

        int seen() {
            return seen;
        }

        @Override
        public boolean matches(Method method, Class<?> type) {
            return method.getName().equals("contendedAgain");
        }

        @Override
        public void afterPropertiesSet() {
            setOrder(Ordered.LOWEST_PRECEDENCE);
            setAdvice((MethodInterceptor) invocation -> {
                seen++;
                return invocation.proceed();
            });
        }
    }

    static class Other {
        private final JdbcTemplate jdbc;

        Other(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Idempotent(operation = "leased", key = "#id")
        public void leased(String id) {}

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @Idempotent(operation = "own", key = "#id")
        public void own(String id) {
            jdbc.update("insert into entry values (?, 1)", id);
        }
    }

    static class Impossible {
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @Idempotent(operation = "impossible", key = "#id", mode = TransactionMode.JOINED)
        public void run(String id) {}
    }

    static class Wanting {
        @Idempotent(operation = "wanting", key = "#id", mode = TransactionMode.JOINED)
        public void run(String id) {}
    }
}
