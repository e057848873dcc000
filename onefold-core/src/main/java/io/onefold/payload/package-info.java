@NullMarked
package io.onefold.payload;

import org.jspecify.annotations.NullMarked;
