/** Stores side by side: one JVM, one run, the same servers, short slices in turn. */
@NullMarked
package io.onefold.benchmarks.stores;

import org.jspecify.annotations.NullMarked;
