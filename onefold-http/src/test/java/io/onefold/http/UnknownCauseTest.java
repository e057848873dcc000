package io.onefold.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was thrown behind a door goes with the unknown outcome, so that the log can say it. */
class UnknownCauseTest {
    @Test
    void an_unknown_outcome_has_the_exception_behind_it_as_its_cause() {
        IOException lost = new IOException("the connection broke");
        HandlerResponse produced =
                HandlerResponse.unknown(502, List.of(), new byte[0]).because(lost);
        assertThatThrownBy(() -> ResponseClassifier.of(produced, HttpPolicy.unchanged(), 0))
                .isInstanceOf(ResponseClassifier.ResponseUnknownException.class)
                .hasMessage("answered 502")
                .hasCause(lost);
        assertThat(HandlerResponse.unknown(502, List.of(), new byte[0]).cause()).isNull();
    }
}
