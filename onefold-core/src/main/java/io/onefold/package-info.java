/** The API and the engine behind it: one effect and one answer for the same request, however often it arrives. */
@NullMarked
package io.onefold;

import org.jspecify.annotations.NullMarked;
