package io.onefold.http;

import java.lang.reflect.InvocationTargetException;
import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Callers as authenticated principals: by name and, with Spring Security, by who vouches for the name. That is the issuer of a token, or the
 * registration of an OAuth 2.0 login. Two issuers may have users of one name.
 */
public final class PrincipalCallerResolver {
    /** By their names: Spring Security need not be there. */
    private static final String TOKEN =
            "org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken";

    private static final String LOGIN =
            "org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken";

    private final Map<String, List<String>> issuers;
    private final Map<String, String> aliases = new HashMap<>();

    /**
     * @param issuers issuers and ids of registrations, by the alias that stands for all of them; any other stands for itself. Another alias
     *     makes its users other callers, whose keys are free
     * @throws IllegalArgumentException if one of them has two aliases
     */
    public PrincipalCallerResolver(Map<String, List<String>> issuers) {
        this.issuers = new TreeMap<>(issuers);
        this.issuers.forEach((alias, all) -> {
            for (String issuer : all) {
                String other = aliases.putIfAbsent(issuer, alias);
                if (other != null) {
                    throw new IllegalArgumentException(
                            issuer + " has two aliases, " + other + " and " + alias + ": leave one of them out");
                }
            }
        });
    }

    public Caller of(Principal principal) {
        String issuer = issuer(principal);
        return new Caller(null, principal.getName(), issuer == null ? null : aliases.getOrDefault(issuer, issuer));
    }

    /** The aliases and what they stand for, for reports; empty if there are none. */
    public String words() {
        StringBuilder words = new StringBuilder();
        issuers.forEach((alias, all) -> words.append(words.isEmpty() ? "" : ", ")
                .append(alias)
                .append(" = ")
                .append(String.join(" or ", all)));
        return words.toString();
    }

    private static @Nullable String issuer(Principal principal) {
        for (@Nullable Class<?> type = principal.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(TOKEN)) {
                Object attributes = call(type, "getTokenAttributes", principal);
                return attributes instanceof Map<?, ?> claims && claims.get("iss") != null
                        ? String.valueOf(claims.get("iss"))
                        : null;
            }
            if (type.getName().equals(LOGIN)) {
                return String.valueOf(call(type, "getAuthorizedClientRegistrationId", principal));
            }
        }
        return null;
    }

    /** Calls the method and fails if it cannot. The name alone would make one caller of two. */
    private static @Nullable Object call(Class<?> type, String method, Principal principal) {
        try {
            return type.getMethod(method).invoke(principal);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(type.getName() + "." + method + " failed", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    type.getName() + " has no method " + method + ", so callers cannot be told apart", e);
        }
    }
}
