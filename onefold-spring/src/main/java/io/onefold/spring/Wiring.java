package io.onefold.spring;

import io.onefold.Onefold;
import java.time.Clock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What methods need to be made safe to repeat.
 *
 * @param header where HTTP requests and messages have their keys, unless a method says otherwise
 * @param transactions null if nothing can be joined
 */
record Wiring(
        Onefold onefold,
        Policies policies,
        Requests requests,
        Messages messages,
        Shadow shadow,
        Printer printer,
        @Nullable JoinedTransactions transactions,
        LegacySettings legacy,
        String header,
        UnaryOperator<String> placeholders,
        Clock clock) {}
