package io.onefold.http;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks when a request was first sent, as OASIS defines it. A request that is older than the kept records may have run already. */
final class FirstSentCheck {
    private static final String HEADER = "Repeatability-First-Sent";
    private static final Duration SKEW = Duration.ofMinutes(5);

    private FirstSentCheck() {}

    /** Rejects a key without a date, a date without a key, and a date outside of the window. */
    static void require(RequestHead head, @Nullable String key, Duration window, Instant now) throws ProblemException {
        List<String> lines = head.headers(HEADER);
        if (key == null && lines.isEmpty()) {
            return;
        }
        Instant sent = lines.size() == 1 ? HttpDate.parse(lines.get(0)) : null;
        if (key == null || sent == null) {
            throw new ProblemException(
                    Problem.ProblemType.KEY_INVALID,
                    "Repeatability-Request-ID and " + HEADER + " (a date as HTTP has it) belong together.");
        }
        if (sent.isBefore(now.minus(window)) || sent.isAfter(now.plus(SKEW))) {
            throw new ProblemException(
                    Problem.ProblemType.FIRST_SENT, HEADER + " is outside of " + window + " before now.");
        }
    }
}
