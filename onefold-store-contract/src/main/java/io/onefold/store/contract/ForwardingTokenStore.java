package io.onefold.store.contract;

import io.onefold.TokenStore;
import java.time.Duration;

/** Hands everything on, for those who change one thing. */
class ForwardingTokenStore implements TokenStore {
    private final TokenStore tokens;

    ForwardingTokenStore(TokenStore tokens) {
        this.tokens = tokens;
    }

    @Override
    public String issue(String operation, String user) {
        return tokens.issue(operation, user);
    }

    @Override
    public TokenCheck check(String token, String operation, String user) {
        return tokens.check(token, operation, user);
    }

    @Override
    public void remove(String token) {
        tokens.remove(token);
    }

    @Override
    public Duration life() {
        return tokens.life();
    }
}
