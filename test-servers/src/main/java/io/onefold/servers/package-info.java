/** Real servers, of databases and of Redis, and network faults for tests and measurements, from Maven artifacts alone. */
@NullMarked
package io.onefold.servers;

import org.jspecify.annotations.NullMarked;
