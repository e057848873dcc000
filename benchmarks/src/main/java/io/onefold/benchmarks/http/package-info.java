/** What the gateway costs, beside the same proxy without it. */
@NullMarked
package io.onefold.benchmarks.http;

import org.jspecify.annotations.NullMarked;
