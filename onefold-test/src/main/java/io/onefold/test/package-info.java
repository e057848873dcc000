/** For the tests of those who use Onefold. */
@NullMarked
package io.onefold.test;

import org.jspecify.annotations.NullMarked;
