package io.onefold.store;

public class NearCacheLincheckTest extends LincheckedStore {
    public NearCacheLincheckTest() {
        super(NearCache.over(new MemoryStore(() -> 1), 1, () -> 1));
    }
}
