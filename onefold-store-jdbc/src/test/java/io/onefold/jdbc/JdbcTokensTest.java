package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.onefold.TokenStore;
import io.onefold.store.contract.TokenStoreContract;
import io.onefold.store.contract.TokenStoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class JdbcTokensTest extends TokenStoreContract {
    /** One of each for all tests: tokens do not meet each other. */
    private static final Map<Database, JdbcTokensFixture> OPENED = new ConcurrentHashMap<>();

    private final Database database;

    JdbcTokensTest(Database database) {
        this.database = database;
    }

    @Override
    protected TokenStoreFixture fixture() {
        return OPENED.computeIfAbsent(database, JdbcTokensFixture::new);
    }

    @Test
    void what_is_long_expired_is_deleted_a_few_at_a_time() {
        TokenStore tokens = fixture().tokens();
        List<String> old = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            old.add(tokens.issue("submit", "ann"));
        }
        for (String token : old) {
            fixture().age(token, Duration.ofHours(1));
        }
        List<Long> left = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String unused = tokens.issue("submit", "ann");
            left.add(old.stream()
                    .filter(token -> tokens.check(token, "submit", "ann") != TokenStore.TokenCheck.MISSING)
                    .count());
        }
        assertThat(left).containsExactly(12L, 4L, 0L);
    }

    @Test
    void the_table_has_the_hash_of_a_token() {
        String token = fixture().tokens().issue("submit", "ann");
        assertThat(fixture().stored()).contains(JdbcTokenStore.hash(token));
    }

    @Test
    void without_its_table_the_tokens_do_not_open_and_say_how_to_make_it() {
        assertThatIllegalStateException()
                .isThrownBy(() -> JdbcTokenStore.on(JdbcStore.builder(database.fresh())
                        .schema(SchemaMode.NONE)
                        .build()))
                .withMessageContaining("onefold_token")
                .withMessageContaining("io/onefold/jdbc/schema/");
    }
}
