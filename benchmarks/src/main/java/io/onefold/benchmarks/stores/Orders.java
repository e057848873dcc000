package io.onefold.benchmarks.stores;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** What the business does to the database, where it does something: one insert. */
final class Orders {
    private final DataSource source;

    Orders(Database database, DataSource source) {
        this.source = source;
        Sql.execute(
                source,
                "create table if not exists shop_order (id " + database.identity()
                        + " primary key, number varchar(64) not null, details varchar(1000) not null)");
    }

    void insert(Connection connection, String key, String details) throws SQLException {
        Sql.update(connection, "insert into shop_order (number, details) values (?, ?)", key, details);
    }

    void insert(DataSource source, String key, String details) throws SQLException {
        try (Connection connection = source.getConnection()) {
            insert(connection, key, details);
        }
    }

    long count() {
        return Sql.number(source, "select count(*) from shop_order");
    }
}
