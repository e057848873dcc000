@NullMarked
package io.onefold.benchmarks;

import org.jspecify.annotations.NullMarked;
