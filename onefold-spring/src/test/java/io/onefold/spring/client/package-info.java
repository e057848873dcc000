@NullMarked
package io.onefold.spring.client;

import org.jspecify.annotations.NullMarked;
