/** The HTTP contract: what is answered to a request and its duplicates, whatever the door it comes through. */
@NullMarked
package io.onefold.http;

import org.jspecify.annotations.NullMarked;
