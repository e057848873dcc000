package io.onefold.store;

import java.util.UUID;

/** The owner and the fence that a change must still find in the record. */
public record Ticket(RecordId id, UUID owner, long fence) {
    private static final long SEVEN_BYTES = (1L << 56) - 1;

    /**
     * The owner of an earlier end that a release under this ticket has put back: the last nine bytes of the ticket's owner and seven of
     * its fence. So the same release is recognised when it is repeated, and no other change under the ticket is taken for it.
     */
    public UUID withdrawn() {
        long high = owner.getMostSignificantBits();
        long low = owner.getLeastSignificantBits();
        return new UUID(high << 56 | low >>> 8, low << 56 | (fence & SEVEN_BYTES));
    }
}
