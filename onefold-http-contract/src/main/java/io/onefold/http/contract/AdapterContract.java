package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The contract of every adapter. An adapter's test extends this class and provides a fixture that opens one:
 *
 * <pre>{@code
 * class MyDoorTest extends AdapterContract {
 *     @Override
 *     protected AdapterFixture fixture() {
 *         return new MyFixture();
 *     }
 * }
 * }</pre>
 *
 * The results are written to {@code target/http-contract-report.md}, row by row and adapter by adapter.
 */
@DisplayNameGeneration(RowNames.class)
@ExtendWith(RowReport.class)
public abstract class AdapterContract {

    /** Returns the fixture that opens the adapter. */
    protected abstract AdapterFixture fixture();

    @Test
    void every_row_has_a_case() {
        Set<String> shown = new TreeSet<>();
        for (Class<?> theme : AdapterContract.class.getDeclaredClasses()) {
            for (Class<?> type = theme; type != null; type = type.getSuperclass()) {
                for (var method : type.getDeclaredMethods()) {
                    shown.addAll(RowNames.of(method));
                }
            }
        }
        assertThat(shown).isEqualTo(new TreeSet<>(ContractRows.titles().keySet()));
    }

    @Nested
    @DisplayName("a key")
    class Keys extends KeyCases {
        Keys() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("a token")
    class Tokens extends TokenCases {
        Tokens() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("a scope")
    class Scopes extends ScopeCases {
        Scopes() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("a body")
    class Bodies extends BodyCases {
        Bodies() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("an upload")
    class Uploads extends UploadCases {
        Uploads() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("what is judged first")
    class Precedence extends PrecedenceCases {
        Precedence() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("an answer")
    class Answers extends ResponseCases {
        Answers() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("a header")
    class Headers extends HeaderCases {
        Headers() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("a stream")
    class Streams extends StreamCases {
        Streams() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("an answer that breaks off")
    class Cuts extends TruncatedResponseCases {
        Cuts() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("a method")
    class Methods extends MethodCases {
        Methods() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("a duplicate that meets the first")
    class Waits extends WaitCases {
        Waits() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("a keep")
    class Keeps extends RetentionCases {
        Keeps() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("a status query")
    class Queries extends StatusQueryCases {
        Queries() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("a profile")
    class Profiles extends ProfileCases {
        Profiles() {
            super(AdapterContract.this);
        }
    }

    @Nested
    @DisplayName("an attack")
    class Attacks extends AttackCases {
        Attacks() {
            super(AdapterContract.this);
        }
    }
}
