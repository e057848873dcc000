package io.onefold.spring.boot;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PreUpdate;

/** A seat, which is taken once. Its id is assigned: the database hears of it when the session is flushed, not before. */
@Entity
class Booking {
    static final String CURSED = "13";

    @Id
    private String id = "";

    @Column(unique = true)
    private String seat = "";

    protected Booking() {}

    Booking(String id, String seat) {
        this.id = id;
        this.seat = seat;
    }

    /** Found out when the session is flushed. */
    @PreUpdate
    void check() {
        if (seat.equals(CURSED)) {
            throw new UnsupportedOperationException("nobody sits there");
        }
    }

    void move(String seat) {
        this.seat = seat;
    }
}
