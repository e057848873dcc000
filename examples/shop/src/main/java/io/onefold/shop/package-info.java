/** A small shop whose orders, payments, stock and coupons are safe to repeat; {@link io.onefold.shop.NaiveShop} is the same without. */
@NullMarked
package io.onefold.shop;

import org.jspecify.annotations.NullMarked;
