@NullMarked
package io.onefold.spring.message;

import org.jspecify.annotations.NullMarked;
