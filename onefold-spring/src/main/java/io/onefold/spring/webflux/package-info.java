/** The HTTP contract in a Spring WebFlux application. */
@NullMarked
package io.onefold.spring.webflux;

import org.jspecify.annotations.NullMarked;
