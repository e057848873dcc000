@NullMarked
package io.onefold.store;

import org.jspecify.annotations.NullMarked;
