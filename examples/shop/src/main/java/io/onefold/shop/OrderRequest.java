package io.onefold.shop;

/** What a customer wants. */
record OrderRequest(String customer, String sku, int quantity) {
    OrderRequest {
        if (quantity < 1) {
            throw new IllegalArgumentException("the quantity must be at least 1, not " + quantity);
        }
    }
}
