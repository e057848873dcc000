/** What Spring Boot 3 has in other places than Spring Boot 4. */
@NullMarked
package io.onefold.spring.boot3;

import org.jspecify.annotations.NullMarked;
