/** The gateway: runs before a service and lets each request through once. */
@NullMarked
package io.onefold.server.gateway;

import org.jspecify.annotations.NullMarked;
