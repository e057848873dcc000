package io.onefold.store;

import java.util.UUID;

/** What a change must still find in the record: this owner under this fence. */
public record Ticket(RecordId id, UUID owner, long fence) {}
