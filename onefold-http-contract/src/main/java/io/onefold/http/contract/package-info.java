/** Every row of the HTTP contract as a black-box case, for any adapter. */
@NullMarked
package io.onefold.http.contract;

import org.jspecify.annotations.NullMarked;
