package io.onefold.store;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

public class NearCacheLincheckTest extends LincheckedStore {
    public NearCacheLincheckTest() {
        super(NearCache.over(new MemoryStore(() -> 1), 1, () -> 1));
    }

    @Override
    protected ModelCheckingOptions model() {
        return super.model()
                .addGuarantee(
                        forClasses(MemoryStore.class.getName()).allMethods().treatAsAtomic());
    }
}
