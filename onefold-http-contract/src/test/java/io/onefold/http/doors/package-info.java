/** The doors that are servlet containers, through the contract. */
@NullMarked
package io.onefold.http.doors;

import org.jspecify.annotations.NullMarked;
