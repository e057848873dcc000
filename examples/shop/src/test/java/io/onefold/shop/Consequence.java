package io.onefold.shop;

/** What may come of a request that is carried out twice. */
enum Consequence {
    DOUBLE_CHARGE("pay-order"),
    DUPLICATE_ORDER("create-order"),
    /** The stock is taken twice for one who wanted it once, and another goes without. */
    OVERSELL("create-order"),
    /** The order and the coupon no longer agree. */
    INCONSISTENCY("use-coupon");

    private final String operation;

    Consequence(String operation) {
        this.operation = operation;
    }

    String operation() {
        return operation;
    }
}
