package io.onefold.benchmarks.spring;

import org.junit.jupiter.api.Test;

/** What is compared is the same work. */
class CallsTest {
    @Test
    void what_one_way_has_done_the_other_replays_with_what_core_brings_and_with_jackson() {
        try (Calls bare = Calls.bare();
                Calls withJackson = Calls.withJackson()) {
            bare.compare();
            withJackson.compare();
        }
    }
}
