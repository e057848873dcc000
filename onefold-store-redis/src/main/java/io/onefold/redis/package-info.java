/** Records in Redis: as the truth, or at the front door of another store. */
@NullMarked
package io.onefold.redis;

import org.jspecify.annotations.NullMarked;
