@NullMarked
package io.onefold.server;

import org.jspecify.annotations.NullMarked;
