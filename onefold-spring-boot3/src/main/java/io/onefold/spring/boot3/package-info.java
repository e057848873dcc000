/** Auto-configurations for Spring Boot 3, which has some classes in other packages than Spring Boot 4. */
@NullMarked
package io.onefold.spring.boot3;

import org.jspecify.annotations.NullMarked;
