/** The HTTP contract in a servlet container. */
@NullMarked
package io.onefold.http.servlet;

import org.jspecify.annotations.NullMarked;
