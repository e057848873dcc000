package io.onefold.store.contract;

import io.onefold.TokenStore;
import io.onefold.store.Store;
import java.time.Duration;
import java.util.List;

/** Tokens under test, and a store for the records under them. Fixtures may share one set of data. */
public interface TokenStoreFixture {

    Store store();

    /** Tokens with the usual life. */
    TokenStore tokens();

    TokenStore tokens(Duration life);

    /** Time passes for one token, or is made to have passed. */
    void age(String token, Duration by);

    /** All that is stored of all tokens, each part of it as bytes. */
    List<byte[]> stored();
}
