/** The filter in real containers. */
@NullMarked
package io.onefold.http.servlet;

import org.jspecify.annotations.NullMarked;
