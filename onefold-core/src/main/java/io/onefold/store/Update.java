package io.onefold.store;

/** A change and the ticket it is made under. */
public record Update(Ticket ticket, Change change) {}
