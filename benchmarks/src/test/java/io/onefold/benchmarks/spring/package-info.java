@NullMarked
package io.onefold.benchmarks.spring;

import org.jspecify.annotations.NullMarked;
