@NullMarked
package io.onefold.benchmarks.stores;

import org.jspecify.annotations.NullMarked;
