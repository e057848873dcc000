/** For those who come from an annotation of the same name with other attributes: changing the import is enough. */
@NullMarked
package io.onefold.spring.legacy;

import org.jspecify.annotations.NullMarked;
