@NullMarked
package io.onefold.jackson2;

import org.jspecify.annotations.NullMarked;
