@NullMarked
package io.onefold.shop;

import org.jspecify.annotations.NullMarked;
