package io.onefold.shop;

/** What a customer wants. */
record OrderRequest(String customer, String sku, int quantity) {}
