@NullMarked
package io.onefold.server.config;

import org.jspecify.annotations.NullMarked;
