/**
 * The configuration of the gateway: a file, and the command line, which takes precedence. Every error names its place
 * and the allowed values.
 */
@NullMarked
package io.onefold.server.config;

import org.jspecify.annotations.NullMarked;
