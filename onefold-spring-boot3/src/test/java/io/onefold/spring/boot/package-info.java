@NullMarked
package io.onefold.spring.boot;

import org.jspecify.annotations.NullMarked;
