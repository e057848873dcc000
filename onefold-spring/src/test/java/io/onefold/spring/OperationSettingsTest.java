package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Operation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OperationSettingsTest {
    private static final OperationSettings OF_ALL = OperationSettings.NONE.refuseLate(Duration.ofDays(1));

    /** An operation cannot both overwrite and refuse: by that it shows whether it refuses. */
    private static final OperationSettings OWN = OperationSettings.NONE.overwrite(true);

    @Test
    void an_operation_can_switch_off_that_late_duplicates_are_refused() {
        Operation<String> operation = Operation.of("pay", String.class);
        assertThatThrownBy(() -> OWN.over(OF_ALL).applied(operation)).hasMessageContaining("refuseLateDuplicates");
        OperationSettings off = OWN.refuseLate(Duration.ZERO);
        assertThatCode(() -> off.over(OF_ALL).applied(operation)).doesNotThrowAnyException();
    }
}
