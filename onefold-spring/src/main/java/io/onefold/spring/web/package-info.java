/** Annotated handlers of HTTP requests in a servlet container. */
@NullMarked
package io.onefold.spring.web;

import org.jspecify.annotations.NullMarked;
