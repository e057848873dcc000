/** {@code @Idempotent} for Spring's beans: controllers, services, listeners and scheduled jobs. */
@NullMarked
package io.onefold.spring;

import org.jspecify.annotations.NullMarked;
