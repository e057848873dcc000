/** The WebFlux filter over real sockets. */
@NullMarked
package io.onefold.spring.webflux;

import org.jspecify.annotations.NullMarked;
