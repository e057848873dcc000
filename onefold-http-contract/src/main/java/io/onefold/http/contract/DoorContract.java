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
 * What every door promises. A door's test extends it and says how to open one:
 *
 * <pre>{@code
 * class MyDoorTest extends DoorContract {
 *     @Override
 *     protected DoorFixture fixture() {
 *         return new MyFixture();
 *     }
 * }
 * }</pre>
 *
 * What holds is written to {@code target/http-contract-report.md}, row by row and door by door.
 */
@DisplayNameGeneration(RowNames.class)
@ExtendWith(RowReport.class)
public abstract class DoorContract {

    /** How the door is opened. */
    protected abstract DoorFixture fixture();

    @Test
    void every_row_has_a_case() {
        Set<String> shown = new TreeSet<>();
        for (Class<?> theme : DoorContract.class.getDeclaredClasses()) {
            for (Class<?> type = theme; type != null; type = type.getSuperclass()) {
                for (var method : type.getDeclaredMethods()) {
                    shown.addAll(RowNames.of(method));
                }
            }
        }
        assertThat(shown).isEqualTo(new TreeSet<>(Rows.titles().keySet()));
    }

    @Nested
    @DisplayName("a key")
    class Keys extends KeyCases {
        Keys() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("a token")
    class Tokens extends TokenCases {
        Tokens() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("a scope")
    class Scopes extends ScopeCases {
        Scopes() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("a body")
    class Bodies extends BodyCases {
        Bodies() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("an upload")
    class Uploads extends UploadCases {
        Uploads() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("what is judged first")
    class Precedence extends PrecedenceCases {
        Precedence() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("an answer")
    class Answers extends AnswerCases {
        Answers() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("a header")
    class Headers extends HeaderCases {
        Headers() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("a stream")
    class Streams extends StreamCases {
        Streams() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("an answer that breaks off")
    class Cuts extends CutCases {
        Cuts() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("a method")
    class Methods extends MethodCases {
        Methods() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("a duplicate that meets the first")
    class Waits extends WaitCases {
        Waits() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("a keep")
    class Keeps extends KeepCases {
        Keeps() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("a status query")
    class Queries extends QueryCases {
        Queries() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("a profile")
    class Profiles extends ProfileCases {
        Profiles() {
            super(DoorContract.this);
        }
    }

    @Nested
    @DisplayName("an attack")
    class Attacks extends AttackCases {
        Attacks() {
            super(DoorContract.this);
        }
    }
}
