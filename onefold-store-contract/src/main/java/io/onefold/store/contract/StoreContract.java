package io.onefold.store.contract;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * What every store promises. A store's test extends it and says how to open one:
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
    class Takes extends TakeCases {
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
    @DisplayName("a copy")
    class Copies extends CopyCases {
        Copies() {
            super(StoreContract.this);
        }
    }
}
