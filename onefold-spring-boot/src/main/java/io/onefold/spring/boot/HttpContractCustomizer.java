package io.onefold.spring.boot;

import io.onefold.http.HttpContract;

/** Changes how the HTTP contract is made, each time that it is. All beans of this type are called, in their order. */
@FunctionalInterface
public interface HttpContractCustomizer {
    void customize(HttpContract.Builder builder);
}
