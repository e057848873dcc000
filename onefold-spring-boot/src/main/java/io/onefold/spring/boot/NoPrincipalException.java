package io.onefold.spring.boot;

import java.util.Set;

/** Requests bring keys, and nothing says whose. */
final class NoPrincipalException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoPrincipalException(Set<String> operations) {
        super("Requests bring the keys of " + String.join(", ", operations)
                + ", but there is no Spring Security to say whose keys they are. Without that, anybody who knows or guesses a"
                + " key gets the answer that was meant for another.");
    }
}
