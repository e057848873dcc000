package io.onefold.store;

/** A change and the ticket it is made under. */
public record RecordUpdate(Ticket ticket, Change change) {}
