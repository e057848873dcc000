/** The tests that every codec must pass. */
@NullMarked
package io.onefold.payload.contract;

import org.jspecify.annotations.NullMarked;
