package io.onefold.store;

public class MemoryStoreLincheckTest extends LincheckedStore {
    public MemoryStoreLincheckTest() {
        super(new MemoryStore(() -> 1));
    }
}
