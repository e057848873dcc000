package io.onefold.redis;

import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;

/** The servers behind a {@link RedisConnections}, as they are now. */
interface RedisServers extends AutoCloseable {

    /** Who holds a slot. */
    HostAndPort of(int slot);

    /** Whether one script may touch keys of different slots. */
    boolean together();

    /** A connection to be closed after use. */
    Connection connect(HostAndPort server);

    /** All who hold slots. */
    List<HostAndPort> all();

    /** Someone else may be in charge by now, and idle connections may lead nowhere. */
    void lookAgain();

    @Override
    void close();
}
