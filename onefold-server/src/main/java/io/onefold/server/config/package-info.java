/** What the gateway is told: a file, and the command line over it. Every error names where it stands and what is allowed. */
@NullMarked
package io.onefold.server.config;

import org.jspecify.annotations.NullMarked;
