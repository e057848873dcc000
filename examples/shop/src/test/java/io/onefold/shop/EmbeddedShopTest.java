package io.onefold.shop;

/** With nothing installed. */
class EmbeddedShopTest extends ShopCases {}
