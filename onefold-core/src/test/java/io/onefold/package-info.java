@NullMarked
package io.onefold;

import org.jspecify.annotations.NullMarked;
