package io.onefold.spring;

import io.onefold.Onefold;
import java.time.Clock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The objects that idempotent methods need.
 *
 * @param header the header of keys in HTTP requests and messages, unless a method says otherwise
 * @param transactions null if the store has no transactions
 * @param legacy null to take those of the policies
 */
record IdempotentContext(
        Onefold onefold,
        OperationSettingsRegistry policies,
        RequestResolver requests,
        MessageResolver messages,
        ArgumentFingerprinter printer,
        @Nullable SpringTransactionSupport transactions,
        @Nullable LegacySettings legacy,
        String header,
        UnaryOperator<String> placeholders,
        Clock clock,
        AttemptTraces traces,
        UnsettledDeliveries unsettled) {
    LegacySettings legacySettings() {
        return legacy == null ? policies.legacy() : legacy;
    }

    IdempotentContext with(OperationSettingsRegistry others) {
        return new IdempotentContext(
                onefold,
                others,
                requests,
                messages,
                printer,
                transactions,
                legacy,
                header,
                placeholders,
                clock,
                traces,
                unsettled);
    }
}
