package io.onefold.store;

/** The state of a record. Stores write the code; it never changes meaning. */
public enum Status {
    /** Someone holds the claim and is at work, until {@code leaseUntil} at least. */
    PROCESSING(0),
    /** Done; the result is replayed. */
    SUCCESS(1),
    /** Failed for good; the failure is replayed. */
    FAILED(2),
    /** The owner was lost in mid-work: the effect may or may not have happened. */
    UNKNOWN(3),
    /** Released: the same payload may claim again. */
    FREE(4);

    private final int code;

    Status(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Success and failure: the two states that answer a duplicate for as long as the record is kept. */
    public boolean finished() {
        return this == SUCCESS || this == FAILED;
    }

    /** States in which nobody may be at work, so that a sweep may remove the record once its keep is over. */
    public boolean sweepable() {
        return finished() || this == FREE;
    }

    public static Status of(int code) {
        for (Status status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        throw new IllegalArgumentException("no status has code " + code);
    }
}
