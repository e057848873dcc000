package io.onefold.benchmarks.http;

import io.onefold.TokenStore;
import java.time.Duration;

/** None are issued here. */
final class NoTokens implements TokenStore {

    @Override
    public String issue(String operation, String user) {
        throw new IllegalStateException("no tokens are issued here");
    }

    @Override
    public TokenCheck check(String token, String operation, String user) {
        return TokenCheck.MISSING;
    }

    @Override
    public void remove(String token) {}

    @Override
    public Duration life() {
        return Duration.ofMinutes(10);
    }
}
