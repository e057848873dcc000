package io.onefold.http.contract;

import io.onefold.Tokens;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Tokens in the heap, which do not expire. */
final class KitTokens implements Tokens {
    private final Map<String, String> issued = new ConcurrentHashMap<>();

    @Override
    public String issue(String operation, String user) {
        String token = UUID.randomUUID().toString();
        issued.put(token, operation + ' ' + user);
        return token;
    }

    @Override
    public Check check(String token, String operation, String user) {
        String whose = issued.get(token);
        if (whose == null) {
            return Check.MISSING;
        }
        return whose.equals(operation + ' ' + user) ? Check.VALID : Check.FOREIGN;
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
