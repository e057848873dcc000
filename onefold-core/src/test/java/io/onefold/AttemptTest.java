package io.onefold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.store.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an attempt knows for its calls to others. */
class AttemptTest {
    private static final Operation<Void> ORDER = Operation.of("order");

    private final Onefold onefold = Onefold.on(new MemoryStore());

    private List<String> keys(String key, boolean fails) {
        List<String> keys = new ArrayList<>();
        Work<Void, RuntimeException> work = attempt -> {
            keys.add(attempt.nextChildKey("psp"));
            keys.add(attempt.nextChildKey("mail"));
            keys.add(attempt.nextChildKey("psp"));
            keys.add(attempt.childKey("psp"));
            if (fails) {
                throw attempt.notExecuted("not now");
            }
            return null;
        };
        if (fails) {
            assertThatThrownBy(() -> onefold.run(ORDER, Key.of(key), work)).isInstanceOf(NotExecutedException.class);
        } else {
            onefold.run(ORDER, Key.of(key), work);
        }
        return keys;
    }

    @Test
    void calls_under_one_name_have_keys_of_their_own_that_are_the_same_in_every_attempt() {
        List<String> first = keys("a", true);
        assertThat(first).doesNotHaveDuplicates();
        assertThat(keys("a", false)).isEqualTo(first);
        assertThat(keys("b", false)).doesNotContainAnyElementsOf(first);
    }
}
