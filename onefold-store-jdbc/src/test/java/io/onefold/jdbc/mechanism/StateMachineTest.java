package io.onefold.jdbc.mechanism;

import static io.onefold.jdbc.mechanism.StateMachineTest.State.CANCELLED;
import static io.onefold.jdbc.mechanism.StateMachineTest.State.DELIVERED;
import static io.onefold.jdbc.mechanism.StateMachineTest.State.NEW;
import static io.onefold.jdbc.mechanism.StateMachineTest.State.PAID;
import static io.onefold.jdbc.mechanism.StateMachineTest.State.SHIPPED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.jdbc.mechanism.TransitionResult.AlreadyMoved;
import io.onefold.jdbc.mechanism.TransitionResult.MoveRejected;
import io.onefold.jdbc.mechanism.TransitionResult.Moved;
import io.onefold.jdbc.mechanism.TransitionResult.StateRowMissing;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An order that is paid, shipped and delivered, or cancelled. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class StateMachineTest extends MechanismTest {

    enum State {
        NEW,
        PAID,
        SHIPPED,
        DELIVERED,
        CANCELLED
    }

    private static final StateMachine<State> ORDER = StateMachine.of("orders", "id", "state", State.class)
            .allow(PAID, "payment_no", NEW)
            .allow(SHIPPED, "shipment_no", PAID)
            .allow(DELIVERED, "delivery_no", SHIPPED)
            .allow(CANCELLED, "cancelled_by", NEW, PAID);

    StateMachineTest(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void tables() throws SQLException {
        create(
                "create table orders (id bigint primary key, state varchar(12) not null, payment_no varchar(40),"
                        + " shipment_no varchar(40), delivery_no varchar(40), cancelled_by varchar(40), paid_cents bigint)",
                "insert into orders (id, state) values (1, 'NEW')",
                "create table payments (payment_no varchar(40) not null, order_id bigint not null)");
    }

    @Test
    void a_payment_moves_the_order_once_and_its_repetition_is_a_success_without_effect() throws SQLException {
        assertThat(move(PAID, "pay-1", ColumnValues.of("paid_cents", 500))).isEqualTo(new Moved<State>());
        TransitionResult<State> repeated = move(PAID, "pay-1", ColumnValues.of("paid_cents", 999));

        assertThat(repeated).isEqualTo(new AlreadyMoved<>(PAID));
        assertThat(repeated.done()).isTrue();
        assertThat(query("select state, payment_no, paid_cents from orders")).isEqualTo("PAID pay-1 500");
    }

    @Test
    void a_second_payment_is_refused_and_told_of_the_first() throws SQLException {
        move(PAID, "pay-1");

        TransitionResult<State> second = move(PAID, "pay-2");

        assertThat(second).isEqualTo(new MoveRejected<>(PAID, "pay-1"));
        assertThat(second.done()).isFalse();
        assertThat(query("select state, payment_no from orders")).isEqualTo("PAID pay-1");
    }

    @Test
    void only_declared_moves_are_made() throws SQLException {
        assertThat(move(SHIPPED, "ship-1")).isEqualTo(new MoveRejected<>(NEW, null));
        assertThat(move(CANCELLED, "customer")).isEqualTo(new Moved<State>());
        assertThat(move(PAID, "pay-1")).isEqualTo(new MoveRejected<>(CANCELLED, "customer"));
        assertThat(query("select state, payment_no from orders")).isEqualTo("CANCELLED null");
    }

    @Test
    void a_late_repetition_is_recognised_though_the_order_has_moved_on() throws SQLException {
        move(PAID, "pay-1");
        move(SHIPPED, "ship-1");

        assertThat(move(PAID, "pay-1")).isEqualTo(new AlreadyMoved<>(SHIPPED));
        assertThat(move(PAID, "pay-2")).isEqualTo(new MoveRejected<>(SHIPPED, "ship-1"));
        assertThat(query("select state, payment_no from orders")).isEqualTo("SHIPPED pay-1");
    }

    @Test
    void a_late_repetition_is_recognised_though_the_order_has_moved_back() throws SQLException {
        StateMachine<State> reopening = ORDER.allow(NEW, "delivery_no_of_return", PAID);
        execute("alter table orders add column delivery_no_of_return varchar(40)");
        move(PAID, "pay-1");
        inTransaction(connection -> reopening.move(connection, 1, NEW, "return-1"));

        assertThat(move(reopening, 1, PAID, "pay-1", ColumnValues.none())).isEqualTo(new AlreadyMoved<>(NEW));
        assertThat(move(reopening, 1, PAID, "pay-2", ColumnValues.none())).isEqualTo(new Moved<State>());
        assertThat(query("select state, payment_no from orders")).isEqualTo("PAID pay-2");
    }

    @Test
    void states_that_share_a_cause_column_remember_the_last_cause_only() throws SQLException {
        StateMachine<State> sharing = StateMachine.of("orders", "id", "state", State.class)
                .allow(PAID, "payment_no", NEW)
                .allow(SHIPPED, "payment_no", PAID)
                .allow(CANCELLED, "payment_no", NEW, PAID);

        assertThat(move(sharing, 1, PAID, "request-1", ColumnValues.none())).isEqualTo(new Moved<State>());
        assertThat(move(sharing, 1, PAID, "request-1", ColumnValues.none())).isEqualTo(new AlreadyMoved<>(PAID));
        assertThat(move(sharing, 1, CANCELLED, "request-1", ColumnValues.none()))
                .isEqualTo(new Moved<State>());
        assertThat(move(sharing, 1, PAID, "request-1", ColumnValues.none()))
                .isEqualTo(new MoveRejected<>(CANCELLED, "request-1"));
    }

    @Test
    void an_order_that_does_not_exist_is_missing() throws SQLException {
        assertThat(move(ORDER, 2, PAID, "pay-1", ColumnValues.none())).isEqualTo(new StateRowMissing<State>());
    }

    @Isolations
    void of_many_repetitions_at_once_one_takes_effect_and_all_succeed(int isolation) throws Exception {
        List<TransitionResult<State>> outcomes = race(i -> pay(isolation, "pay-1"));

        assertOneEffect(outcomes, Moved.class, AlreadyMoved.class);
        assertThat(query("select payment_no, order_id from payments")).isEqualTo("pay-1 1");
    }

    @Isolations
    void of_many_payments_at_once_one_takes_effect_and_the_others_are_told_which(int isolation) throws Exception {
        List<TransitionResult<State>> outcomes = race(i -> pay(isolation, "pay-" + i));

        assertOneEffect(outcomes, Moved.class, MoveRejected.class);
        String winner = query("select payment_no from payments");
        assertThat(winner).matches("pay-\\d+");
        assertThat(outcomes).filteredOn(MoveRejected.class::isInstance).containsOnly(new MoveRejected<>(PAID, winner));
        assertThat(query("select payment_no from orders")).isEqualTo(winner);
    }

    @Isolations
    void a_state_that_is_newer_than_the_snapshot_counts(int isolation) throws SQLException {
        AtomicInteger tries = new AtomicInteger();

        TransitionResult<State> outcome = inTransaction(isolation, connection -> {
            query(connection, "select count(*) from payments");
            if (tries.incrementAndGet() == 1) {
                move(PAID, "pay-1");
            }
            return ORDER.move(connection, 1, PAID, "pay-2");
        });

        assertThat(outcome).isEqualTo(new MoveRejected<>(PAID, "pay-1"));
        if (database == TestDatabase.MARIADB || database == TestDatabase.MYSQL) {
            assertThat(tries).hasValue(1);
        }
    }

    enum TaskState {
        INIT(0),
        PROCESSING(1),
        DONE(2),
        FAILED(3);

        private final int code;

        TaskState(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    @Test
    void states_may_be_stored_as_numbers() throws SQLException {
        create(
                "create table task (id varchar(20) primary key, status smallint not null, done_by varchar(20), reward int)",
                "insert into task (id, status, reward) values ('t', 1, 0)");
        StateMachine<TaskState> task = StateMachine.of("task", "id", "status", TaskState.class, TaskState::code)
                .allow(TaskState.DONE, "done_by", TaskState.PROCESSING, TaskState.FAILED);

        assertThat(move(task, "t", TaskState.DONE, "a", ColumnValues.none().plus("reward", 5)))
                .isEqualTo(new Moved<TaskState>());
        assertThat(move(task, "t", TaskState.DONE, "b", ColumnValues.none().plus("reward", 5)))
                .isEqualTo(new MoveRejected<>(TaskState.DONE, "a"));
        assertThat(query("select status, reward from task")).isEqualTo("2 5");
    }

    @Test
    void a_state_that_is_not_declared_is_an_error() throws SQLException {
        execute("update orders set state = 'LOST'");

        assertThatThrownBy(() -> move(PAID, "pay-1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("LOST");
    }

    @Test
    void an_id_that_is_not_unique_is_an_error_and_nothing_is_moved() throws SQLException {
        execute("insert into orders (id, state) values (2, 'NEW')", "update orders set shipment_no = 'x'");
        StateMachine<State> mistaken =
                StateMachine.of("orders", "shipment_no", "state", State.class).allow(PAID, "payment_no", NEW);

        assertThatThrownBy(() -> inTransaction(connection -> mistaken.move(connection, "x", PAID, "pay-1")))
                .isInstanceOf(IllegalStateException.class);
        assertThat(query("select state from orders")).isEqualTo("NEW NEW");
    }

    @Test
    void contradictions_are_refused_when_declared_or_asked_for() throws SQLException {
        assertThatThrownBy(() -> ORDER.allow(NEW, "reset_by", NEW)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ORDER.allow(PAID, "again", SHIPPED)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StateMachine.of("orders", "id", "state", State.class, state -> 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> move(NEW, "undeclared")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> move(PAID, "pay-1", ColumnValues.of("STATE", "SHIPPED")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> move(PAID, "pay-1", ColumnValues.of("payment_no", "pay-2")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private TransitionResult<State> move(State to, String cause) throws SQLException {
        return move(to, cause, ColumnValues.none());
    }

    private TransitionResult<State> move(State to, String cause, ColumnValues also) throws SQLException {
        return move(ORDER, 1, to, cause, also);
    }

    private <S extends Enum<S>> TransitionResult<S> move(
            StateMachine<S> machine, Object id, S to, String cause, ColumnValues also) throws SQLException {
        return inTransaction(connection -> machine.move(connection, id, to, cause, also));
    }

    private TransitionResult<State> pay(int isolation, String payment) throws SQLException {
        return inTransaction(isolation, (Connection connection) -> {
            TransitionResult<State> outcome = ORDER.move(connection, 1, PAID, payment);
            if (outcome instanceof Moved) {
                execute(connection, "insert into payments values (?, 1)", payment);
            }
            return outcome;
        });
    }
}
