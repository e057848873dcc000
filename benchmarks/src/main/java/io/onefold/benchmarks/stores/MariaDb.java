package io.onefold.benchmarks.stores;

import io.onefold.servers.MariaDbServer;
import java.util.stream.Stream;
import javax.sql.DataSource;

final class MariaDb extends Database {
    static final String ID = "mariadb";

    private final MariaDbServer server = MariaDbServer.start();
    private final DataSource source = server.dataSource(server.newDatabase());

    @Override
    String id() {
        return ID;
    }

    @Override
    DataSource unpooled() {
        return source;
    }

    @Override
    String identity() {
        return "bigint auto_increment";
    }

    @Override
    Stream<Setting> durability() {
        return Stream.of(
                        "innodb_flush_log_at_trx_commit",
                        "innodb_doublewrite",
                        "innodb_flush_method",
                        "innodb_buffer_pool_size",
                        "log_bin")
                .map(name -> new Setting(name, "select @@" + name));
    }

    @Override
    public void close() {
        super.close();
        server.close();
    }
}
