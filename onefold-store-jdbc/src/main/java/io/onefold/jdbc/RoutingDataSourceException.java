package io.onefold.jdbc;

/**
 * A {@code DataSource} that chooses its database by the thread that asks. A store cannot use one: a call shares a trip with the calls
 * of other threads, and leases are renewed on threads of the store's own, so that its record would be in one database today and in
 * another tomorrow.
 */
public final class RoutingDataSourceException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    RoutingDataSourceException(String type) {
        super(type
                + " chooses the database by the thread that asks, but calls of different threads share trips to the store, and"
                + " leases are renewed on other threads; give the store the DataSource of one database, with a store for each tenant"
                + " that has a database of its own");
    }
}
