package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** On H2, which gives up who has waited too long for a row. */
class H2SessionTest extends OpenSessionCases {
    H2SessionTest() {
        super("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=100", "sa", "");
    }

    @Test
    void a_change_that_is_given_up_when_a_replay_ends_may_be_retried() throws Exception {
        assertThat(post("/pay?key=1&id=a&seat=paid&dies=true").statusCode()).isEqualTo(500);
        try (Connection other = connection()) {
            other.setAutoCommit(false);
            change(other);
            assertThat(post("/change-and-charge?key=1&id=a&seat=changed").body())
                    .isEqualTo("RetryableTransactionException");
            other.rollback();
        }
        assertThat(seat()).isEqualTo("old");
        assertThat(post("/change-and-charge?key=1&id=a&seat=changed").body()).isEqualTo("charged 5");
        assertThat(seat()).isEqualTo("changed");
    }

    @Override
    boolean waitsInVain() {
        return true;
    }

    @Override
    void standInTheWay(Connection other, PreparedStatement change) throws SQLException {
        change.executeUpdate();
    }
}
