package io.onefold.jdbc.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.jdbc.mechanism.InsertResult.Inserted;
import io.onefold.jdbc.mechanism.LookupResult.Found;
import io.onefold.jdbc.mechanism.LookupResult.NotYet;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Text messages by the number that the system which asked for them gave them. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class SerialNumberTest extends MechanismTest {
    private static final SerialNumberLookup MESSAGE = SerialNumberLookup.of("messages", "biz_sys", "out_trade_no");
    private static final SerialNumberLookup PAYMENT = SerialNumberLookup.of("payments", "payment_no");

    SerialNumberTest(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void tables() throws SQLException {
        create(
                "create table messages (biz_sys varchar(20), out_trade_no varchar(40), text varchar(40))",
                "insert into messages values ('crm', 'T-1', 'hello')",
                "create table payments (payment_no varchar(40) primary key, cents bigint)");
    }

    @Test
    void what_was_handled_is_found() throws SQLException {
        assertThat(find("crm", "T-1")).isEqualTo(new Found<>("hello"));
    }

    @Test
    void what_was_not_handled_is_not_there_yet() throws SQLException {
        assertThat(find("crm", "T-2")).isEqualTo(new NotYet<String>());
        assertThat(find("shop", "T-1")).isEqualTo(new NotYet<String>());
        assertThat(find("crm", "T-1' or '1'='1")).isEqualTo(new NotYet<String>());
    }

    @Test
    void one_of_several_will_do() throws SQLException {
        execute("insert into messages values ('crm', 'T-1', 'hello')");

        assertThat(find("crm", "T-1")).isEqualTo(new Found<>("hello"));
    }

    @Test
    void every_column_needs_its_value() {
        assertThatThrownBy(() -> find("crm")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void who_look_at_the_same_time_all_find_nothing_and_the_unique_key_decides() throws Exception {
        UniqueKeyInsert key = UniqueKeyInsert.of("payments", "payment_no");
        CyclicBarrier haveLooked = new CyclicBarrier(THREADS);

        List<InsertResult<Long>> outcomes = race(i -> {
            LookupResult<Long> before = inTransaction(SerialNumberTest::payment);
            haveLooked.await();
            assertThat(before).isEqualTo(new NotYet<Long>());
            ColumnValues row = ColumnValues.of("payment_no", "P-1").and("cents", i);
            return inTransaction(connection -> key.insert(connection, row, found -> found.getLong("cents")));
        });

        assertThat(outcomes.stream().filter(Inserted.class::isInstance)).hasSize(1);
        LookupResult<Long> after = inTransaction(SerialNumberTest::payment);
        assertThat(after).isEqualTo(new Found<>(outcomes.get(0).row()));
    }

    private static LookupResult<Long> payment(Connection connection) throws SQLException {
        return PAYMENT.find(connection, row -> row.getLong("cents"), "P-1");
    }

    private LookupResult<String> find(Object... values) throws SQLException {
        return inTransaction(connection -> MESSAGE.find(connection, row -> row.getString("text"), values));
    }
}
