/** What the annotation costs over the plain API, and what the starter costs when an application starts. */
@NullMarked
package io.onefold.benchmarks.spring;

import org.jspecify.annotations.NullMarked;
