@NullMarked
package io.onefold.redis;

import org.jspecify.annotations.NullMarked;
