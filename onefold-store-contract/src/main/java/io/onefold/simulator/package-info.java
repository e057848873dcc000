/**
 * A deterministic simulator: engines, a store, a clock, crashes, pauses, lost responses, a reconciler and a person, all
 * on one thread and all from one seed. A schedule that breaks an invariant is replayed by its seed.
 */
@NullMarked
package io.onefold.simulator;

import org.jspecify.annotations.NullMarked;
