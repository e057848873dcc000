/** Every row of the HTTP contract as a black-box case, for any door. */
@NullMarked
package io.onefold.http.contract;

import org.jspecify.annotations.NullMarked;
