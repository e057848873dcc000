package io.onefold.spring.boot;

import io.onefold.Onefold;

/** Changes how the application's Onefold is made. All beans of this type are called, in their order. */
@FunctionalInterface
public interface OnefoldCustomizer {
    void customize(Onefold.Builder builder);
}
