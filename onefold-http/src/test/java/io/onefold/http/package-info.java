@NullMarked
package io.onefold.http;

import org.jspecify.annotations.NullMarked;
