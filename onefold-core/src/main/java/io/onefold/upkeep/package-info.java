/**
 * The maintenance that runs beside the calls: finding lost owners, settling unknown outcomes, sweeping what was kept
 * long enough.
 */
@NullMarked
package io.onefold.upkeep;

import org.jspecify.annotations.NullMarked;
