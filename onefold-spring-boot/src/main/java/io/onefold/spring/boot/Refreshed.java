package io.onefold.spring.boot;

/** What is made of policies, and made again when they change. */
@FunctionalInterface
interface Refreshed {
    void refresh();
}
