package io.onefold.shop;

/** What may happen between looking and acting. Nothing, most of the time, which is why it goes unnoticed. */
@FunctionalInterface
interface Gap {
    void pass();
}
