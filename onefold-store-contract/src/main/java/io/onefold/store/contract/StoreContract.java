package io.onefold.store.contract;

import io.onefold.Onefold;
import io.onefold.store.Store;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The contract of every store. A store's test extends this class and provides a fixture that opens one:
 *
 * <pre>{@code
 * class MyStoreTest extends StoreContract {
 *     @Override
 *     protected StoreFixture open() {
 *         return new MyFixture();
 *     }
 * }
 * }</pre>
 */
public abstract class StoreContract {
    private @Nullable StoreFixture fixture;

    /** Called for each case; fixtures may share one set of data. */
    protected abstract StoreFixture open();

    /** Opens an engine on the store; for engines that are broken on purpose to take its place. */
    protected EngineCaller engine(EngineCaller.CallStyle way, Store store, Onefold.Builder builder) {
        return way.into(builder.build());
    }

    @BeforeEach
    final void openFixture() {
        fixture = open();
    }

    @AfterEach
    final void closeFixture() {
        fixture().close();
    }

    final StoreFixture fixture() {
        return Objects.requireNonNull(fixture, "fixture");
    }

    @Nested
    @DisplayName("a claim")
    class Claims extends ClaimCases {
        Claims() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("a claim that takes")
    class Takes extends TakeoverCases {
        Takes() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("a change")
    class Updates extends UpdateCases {
        Updates() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("a claim that overwrites")
    class Overwrites extends OverwriteCases {
        Overwrites() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("an identity")
    class Identities extends IdentityCases {
        Identities() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("a payload")
    class Payloads extends PayloadCases {
        Payloads() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("a batch")
    class Batches extends BatchCases {
        Batches() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("a listing")
    class Lists extends ListCases {
        Lists() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("a sweep")
    class Sweeps extends SweepCases {
        Sweeps() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("a race")
    class Races extends RaceCases {
        Races() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("the store's time")
    class Times extends TimeCases {
        Times() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("a clock that was set back")
    class ClocksSetBack extends ClockSetBackCases {
        ClocksSetBack() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("a copy")
    class Copies extends CopyCases {
        Copies() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("an engine on this store")
    class EngineReplays extends EngineReplayCases {
        EngineReplays() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("an engine that meets another payload")
    class EngineConflicts extends EngineConflictCases {
        EngineConflicts() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("an engine that waits")
    class EngineWaits extends EngineWaitCases {
        EngineWaits() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("an engine whose waiters share a failure")
    class EngineSharedFailures extends EngineSharedFailureCases {
        EngineSharedFailures() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("an engine whose work fails")
    class EngineFailures extends EngineFailureCases {
        EngineFailures() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("an engine whose store fails")
    class EngineFaults extends EngineFaultCases {
        EngineFaults() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("an engine whose owner is lost")
    class EngineLeases extends EngineLeaseCases {
        EngineLeases() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("an engine that overwrites")
    class EngineOverwrites extends EngineOverwriteCases {
        EngineOverwrites() {
            super(StoreContract.this);
        }
    }

    @Nested
    @DisplayName("a fuzz")
    class Fuzz extends FuzzCases {
        Fuzz() {
            super(StoreContract.this);
        }
    }
}
