@NullMarked
package io.onefold.upkeep;

import org.jspecify.annotations.NullMarked;
