/** Onefold in Spring Boot: what is on the class path is put to use, and {@code onefold.*} says how. */
@NullMarked
package io.onefold.spring.boot;

import org.jspecify.annotations.NullMarked;
