@NullMarked
package io.onefold.benchmarks.http;

import org.jspecify.annotations.NullMarked;
