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
record Wiring(
        Onefold onefold,
        Policies policies,
        Requests requests,
        Messages messages,
        Printer printer,
        @Nullable JoinedTransactions transactions,
        @Nullable LegacySettings legacy,
        String header,
        UnaryOperator<String> placeholders,
        Clock clock,
        Traces traces,
        UnsettledDeliveries unsettled) {
    LegacySettings legacySettings() {
        return legacy == null ? policies.legacy() : legacy;
    }

    Wiring with(Policies others) {
        return new Wiring(
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
