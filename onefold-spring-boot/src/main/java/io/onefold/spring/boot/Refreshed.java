package io.onefold.spring.boot;

import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.Policies;

/** What is made of policies, and made again when they change. */
@FunctionalInterface
interface Refreshed {
    /**
     * Makes it of these, and changes nothing yet.
     *
     * @return puts it into effect
     * @throws RuntimeException if it cannot be made of them
     */
    Runnable prepare(Policies policies, IdempotentMethods methods);
}
