package io.onefold.store;

/** A record with the store's clock at the moment it was read: all that a decision needs. */
public record RecordSnapshot(StoredRecord record, long now) implements ClaimResult {}
