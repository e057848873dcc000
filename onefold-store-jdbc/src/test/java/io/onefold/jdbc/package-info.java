@NullMarked
package io.onefold.jdbc;

import org.jspecify.annotations.NullMarked;
