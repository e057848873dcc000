package io.onefold.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a listing.
 *
 * @param next where the next part begins, null at the end
 * @param now the store's clock
 */
public record RecordPage(
        List<StoredRecord> records, @Nullable String next, long now) {}
