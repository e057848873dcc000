package io.onefold.http.contract;

import io.onefold.TokenStore;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Tokens in the heap, which expire when a case wants it. */
final class KitTokenStore implements TokenStore {
    private final Map<String, String> issued = new ConcurrentHashMap<>();
    private volatile boolean expired;

    /** From now on, all that were issued have expired. */
    void expire() {
        expired = true;
    }

    @Override
    public String issue(String operation, String user) {
        String token = UUID.randomUUID().toString();
        issued.put(token, operation + ' ' + user);
        return token;
    }

    @Override
    public TokenCheck check(String token, String operation, String user) {
        String whose = issued.get(token);
        if (whose == null) {
            return TokenCheck.MISSING;
        }
        if (!whose.equals(operation + ' ' + user)) {
            return TokenCheck.FOREIGN;
        }
        return expired ? TokenCheck.EXPIRED : TokenCheck.VALID;
    }

    @Override
    public void remove(String token) {
        issued.remove(token);
    }

    @Override
    public Duration life() {
        return Duration.ofMinutes(10);
    }
}
