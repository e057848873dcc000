package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/**
 * Connections to a Redis: one server, the one that sentinels name, or a cluster. The settings have the names that they have in
 * Spring Boot under {@code spring.data.redis}.
 *
 * <pre>{@code
 * RedisConnections one = RedisConnections.at("rediss://user:secret@redis.example:6380/0");
 * RedisConnections named = RedisConnections.builder().sentinel("mymaster", "s1:26379", "s2:26379", "s3:26379").password("secret").build();
 * RedisConnections cluster = RedisConnections.builder().cluster("c1:6379", "c2:6379").build();
 * }</pre>
 *
 * One is enough for a process: stores, tokens, effects and locks may share it.
 */
public final class RedisConnections implements AutoCloseable {
    private final CommandPipeline wire;
    private final Duration timeout;
    private volatile boolean closed;

    private RedisConnections(RedisServers servers, Duration timeout) {
        this.wire = new CommandPipeline(servers);
        this.timeout = timeout;
    }

    /** The server of a URL such as {@code redis://host:6379}; with TLS, {@code rediss://user:password@host:6380/0}. */
    public static RedisConnections at(String url) {
        return builder().url(url).build();
    }

    /**
     * Over connections that were set up elsewhere, for whatever the builder has no word for. Closing this closes them.
     */
    public static RedisConnections over(ConnectionProvider provider) {
        return new RedisConnections(servers(provider), Builder.TIMEOUT);
    }

    public static Builder builder() {
        return new Builder();
    }

    private static RedisServers servers(ConnectionProvider provider) {
        return provider instanceof ClusterConnectionProvider cluster
                ? new ClusterServers(cluster)
                : new SingleServer(provider);
    }

    CommandPipeline wire() {
        return wire;
    }

    Duration timeout() {
        return timeout;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        wire.servers().close();
    }

    static void close(ConnectionProvider provider) {
        try {
            provider.close();
        } catch (Exception e) {
            throw new IllegalStateException("the connections could not be closed", e);
        }
    }

    /** What may be chosen; everything has a default. */
    public static final class Builder {
        static final Duration TIMEOUT = Duration.ofSeconds(2);

        private static final Duration SILENCE = Duration.ofSeconds(30);

        private String host = "localhost";
        private int port = 6379;
        private int database;
        private @Nullable String username;
        private @Nullable String password;
        private @Nullable String clientName;
        private boolean ssl;
        private @Nullable SSLContext sslContext;
        private boolean checksHost = true;
        private Duration timeout = TIMEOUT;
        private @Nullable Duration connectTimeout;
        private int connections = 24;
        private @Nullable String master;
        private Set<HostAndPort> nodes = Set.of();
        private boolean cluster;
        private @Nullable String sentinelUsername;
        private @Nullable String sentinelPassword;

        private Builder() {}

        /** Host, port, user, password, database and whether TLS is spoken, in one. */
        public Builder url(String url) {
            URI uri = parsed(url);
            ssl = "rediss".equals(uri.getScheme());
            host = uri.getHost();
            port = uri.getPort() < 0 ? port : uri.getPort();
            String user = uri.getRawUserInfo();
            if (user != null) {
                int colon = user.indexOf(':');
                username = colon <= 0 ? null : decoded(user.substring(0, colon));
                password = decoded(user.substring(colon + 1));
            }
            String path = uri.getPath() == null ? "" : uri.getPath().replaceFirst("^/", "");
            if (!path.isEmpty()) {
                if (!path.matches("\\d{1,4}")) {
                    throw new IllegalArgumentException("the url's database must be a number, not \"" + path + "\"");
                }
                database = Integer.parseInt(path);
            }
            return this;
        }

        /** What is wrong with a URL is told without it: it may hold a password. */
        private static URI parsed(String url) {
            URI uri;
            try {
                uri = new URI(url);
            } catch (URISyntaxException e) {
                throw new IllegalArgumentException("url cannot be read: " + e.getReason());
            }
            if (!List.of("redis", "rediss").contains(String.valueOf(uri.getScheme())) || uri.getHost() == null) {
                throw new IllegalArgumentException("url must be redis://… or rediss://… with a host, not "
                        + uri.getScheme() + "://" + uri.getHost());
            }
            if (uri.getQuery() != null) {
                throw new IllegalArgumentException("url must have no parameters: use the builder's settings instead");
            }
            return uri;
        }

        private static String decoded(String raw) {
            return URLDecoder.decode(raw.replace("+", "%2B"), UTF_8);
        }

        public Builder host(String host) {
            this.host = host;
            return this;
        }

        public Builder port(int port) {
            this.port = port;
            return this;
        }

        public Builder database(int database) {
            this.database = database;
            return this;
        }

        public Builder username(String username) {
            this.username = username;
            return this;
        }

        public Builder password(String password) {
            this.password = password;
            return this;
        }

        /** As the servers know these connections. */
        public Builder clientName(String clientName) {
            this.clientName = clientName;
            return this;
        }

        /** TLS with the trust of this JVM. */
        public Builder ssl() {
            this.ssl = true;
            return this;
        }

        /** TLS with a trust of its own. */
        public Builder ssl(SSLContext context) {
            this.ssl = true;
            this.sslContext = context;
            return this;
        }

        /** TLS with servers whose certificates do not name them, by whichever address they are reached. */
        public Builder anyHostname() {
            this.checksHost = false;
            return this;
        }

        /** How long to wait for an answer; two seconds unless another is given. At a front door, less is better. */
        public Builder timeout(Duration timeout) {
            this.timeout = positive("timeout", timeout);
            return this;
        }

        /** How long to wait for a connection; as long as for an answer unless another is given. */
        public Builder connectTimeout(Duration timeout) {
            this.connectTimeout = positive("connectTimeout", timeout);
            return this;
        }

        /** How many connections there may be to each server. */
        public Builder connections(int connections) {
            if (connections < 4) {
                throw new IllegalArgumentException("connections must be at least 4, not " + connections);
            }
            this.connections = connections;
            return this;
        }

        /** The server that these sentinels call by this name. */
        public Builder sentinel(String master, String... nodes) {
            this.master = master;
            this.nodes = nodes(nodes);
            return this;
        }

        /** For the sentinels themselves, where they ask for it. */
        public Builder sentinelUsername(String username) {
            this.sentinelUsername = username;
            return this;
        }

        /** For the sentinels themselves, where they ask for it. */
        public Builder sentinelPassword(String password) {
            this.sentinelPassword = password;
            return this;
        }

        /** Some nodes of a cluster; they know the others. */
        public Builder cluster(String... nodes) {
            this.cluster = true;
            this.nodes = nodes(nodes);
            return this;
        }

        public RedisConnections build() {
            if (cluster && master != null) {
                throw new IllegalArgumentException("either cluster or sentinel, not both: sentinel master " + master);
            }
            if (cluster && database != 0) {
                throw new IllegalArgumentException("a cluster has database 0 alone, not " + database);
            }
            return new RedisConnections(servers(provider()), timeout);
        }

        private ConnectionProvider provider() {
            if (cluster) {
                return new ClusterConnectionProvider(nodes, config(), pool());
            }
            return master == null
                    ? new PooledConnectionProvider(new HostAndPort(host, port), config(), pool())
                    : new SentineledConnectionProvider(master, config(), pool(), nodes, sentinelConfig());
        }

        private JedisClientConfig config() {
            return base(username, password)
                    .database(database)
                    .clientName(clientName)
                    .build();
        }

        private JedisClientConfig sentinelConfig() {
            return base(sentinelUsername, sentinelPassword).build();
        }

        private DefaultJedisClientConfig.Builder base(@Nullable String user, @Nullable String secret) {
            DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                    .connectionTimeoutMillis(millis(connectTimeout == null ? timeout : connectTimeout))
                    .socketTimeoutMillis(millis(timeout))
                    // of whoever listens: a connection that was silently cut must not be listened to for ever
                    .blockingSocketTimeoutMillis(millis(SILENCE))
                    .user(user)
                    .password(secret)
                    .ssl(ssl);
            if (ssl && checksHost) {
                SSLParameters parameters = new SSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS"); // Jedis would take any name that is signed
                config.sslParameters(parameters);
            }
            return sslContext == null ? config : config.sslSocketFactory(sslContext.getSocketFactory());
        }

        private static int millis(Duration duration) {
            return Math.toIntExact(duration.toMillis());
        }

        private ConnectionPoolConfig pool() {
            ConnectionPoolConfig pool = new ConnectionPoolConfig();
            pool.setMaxTotal(connections);
            pool.setMaxIdle(connections);
            pool.setMaxWait(timeout);
            pool.setJmxEnabled(false);
            return pool;
        }

        private static Set<HostAndPort> nodes(String... nodes) {
            if (nodes.length == 0) {
                throw new IllegalArgumentException("nodes are missing, each as host:port");
            }
            Set<HostAndPort> parsed = new LinkedHashSet<>();
            for (String node : nodes) {
                if (!node.matches("\\S+:\\d{1,5}")) {
                    throw new IllegalArgumentException("a node must be host:port, not \"" + node + "\"");
                }
                parsed.add(HostAndPort.from(node));
            }
            return parsed;
        }

        private static Duration positive(String name, Duration duration) {
            if (duration.toMillis() < 1) {
                throw new IllegalArgumentException(name + " must be at least a millisecond, not " + duration);
            }
            return duration;
        }
    }
}
