package io.onefold.store;

import org.jspecify.annotations.Nullable;

/**
 * A store that keeps copies of finished records nearer than the primary store, for callers who do not claim: joined calls, which would
 * open a transaction to read a record. Records that may change although they are finished must not be brought here.
 */
public interface CacheTier {

    /**
     * A copy of the record, if it is finished and its keep is not over. The primary store is not asked for the record.
     *
     * @return null if nothing is known here, which says nothing about the record
     */
    @Nullable
    RecordSnapshot known(RecordId id);

    /**
     * Reads the record from the primary store and copies what is committed. A failure costs the copy alone.
     *
     * @return the record as it was read; null if there is none, or if it could not be read
     */
    @Nullable
    RecordSnapshot refresh(RecordId id);
}
