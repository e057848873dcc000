@NullMarked
package io.onefold.spring.web;

import org.jspecify.annotations.NullMarked;
