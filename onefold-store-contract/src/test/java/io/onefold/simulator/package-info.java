@NullMarked
package io.onefold.simulator;

import org.jspecify.annotations.NullMarked;
