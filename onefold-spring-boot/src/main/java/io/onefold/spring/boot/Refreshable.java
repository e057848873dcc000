package io.onefold.spring.boot;

import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.OperationSettingsRegistry;

/** What is made of policies, and made again when they change. */
@FunctionalInterface
interface Refreshable {
    /**
     * Makes it of these, and changes nothing yet.
     *
     * @return puts it into effect
     * @throws RuntimeException if it cannot be made of them
     */
    Runnable prepare(OperationSettingsRegistry policies, IdempotentMethodRegistry methods);
}
