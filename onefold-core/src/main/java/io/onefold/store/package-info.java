/** The interface of a store, with five verbs over one kind of record, and the stores that need nothing but the JVM. */
@NullMarked
package io.onefold.store;

import org.jspecify.annotations.NullMarked;
