@NullMarked
package io.onefold.store.contract;

import org.jspecify.annotations.NullMarked;
