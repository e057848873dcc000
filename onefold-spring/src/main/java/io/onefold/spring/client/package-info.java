/** Calls to others, under keys that are derived from the current attempt. */
@NullMarked
package io.onefold.spring.client;

import org.jspecify.annotations.NullMarked;
