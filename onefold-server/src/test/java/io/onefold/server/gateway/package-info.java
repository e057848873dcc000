@NullMarked
package io.onefold.server.gateway;

import org.jspecify.annotations.NullMarked;
