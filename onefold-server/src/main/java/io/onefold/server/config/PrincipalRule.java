package io.onefold.server.config;

/**
 * The source of the caller's identity.
 *
 * @param name of the header or claim; empty for {@link Kind#ANONYMOUS}
 */
public record PrincipalRule(Kind kind, String name) {
    static final String ALLOWED = "header:NAME, jwt:CLAIM or anonymous";
    private static final String TENANT_ALLOWED = "header:NAME or jwt:CLAIM";

    public enum Kind {
        /** Callers are not told apart: anyone who knows a key gets its response. */
        ANONYMOUS,
        /** A header from a proxy in front. */
        HEADER,
        /** A signed token. */
        JWT
    }

    static PrincipalRule parse(String text) {
        return text.equals("anonymous") ? new PrincipalRule(Kind.ANONYMOUS, "") : named(text, ALLOWED);
    }

    /** Reads the rule for the tenant; where there is only one tenant, none is set. */
    static PrincipalRule tenant(String text) {
        return named(text, TENANT_ALLOWED);
    }

    private static PrincipalRule named(String text, String allowed) {
        int colon = text.indexOf(':');
        String name = text.substring(colon + 1);
        if (text.startsWith("header:") && name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]+")) {
            return new PrincipalRule(Kind.HEADER, name);
        }
        if (text.startsWith("jwt:") && !name.isBlank()) {
            return new PrincipalRule(Kind.JWT, name);
        }
        throw new IllegalArgumentException("\"" + text + "\" is not one of " + allowed);
    }

    @Override
    public String toString() {
        return switch (kind) {
            case ANONYMOUS -> "anonymous";
            case HEADER -> "header:" + name;
            case JWT -> "jwt:" + name;
        };
    }
}
