@NullMarked
package io.onefold.jackson;

import org.jspecify.annotations.NullMarked;
