package io.onefold.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.upkeep.MaintenanceSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigReaderTest {
    @TempDir
    Path directory;

    private GatewayConfig read(String yaml, Map<String, String> options) {
        try {
            Path file = directory.resolve("gateway.yaml");
            Files.writeString(file, yaml);
            return ConfigReader.read(file, options);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private GatewayConfig read(String yaml) {
        return read(yaml, Map.of("to", "http://localhost:9000"));
    }

    @Test
    void maintenance_is_as_it_is_said() {
        MaintenanceSettings upkeep = read("""
                reconcile: 2s
                upkeep:
                  reconcile-batch: 11
                  sweep-every: 3m
                  sweep-batch: 12
                  lease: 20s
                  probe-timeout: 4s
                  probe-threads: 5
                  probes-per-round: 13
                  stuck-after: 6m
                """).limits().upkeep();
        assertThat(upkeep.reconcileEvery()).isEqualTo(Duration.ofSeconds(2));
        assertThat(upkeep.probePause()).isEqualTo(Duration.ofSeconds(2));
        assertThat(upkeep.reconcileBatch()).isEqualTo(11);
        assertThat(upkeep.sweepEvery()).isEqualTo(Duration.ofMinutes(3));
        assertThat(upkeep.sweepBatch()).isEqualTo(12);
        assertThat(upkeep.lease()).isEqualTo(Duration.ofSeconds(20));
        assertThat(upkeep.probeTimeout()).isEqualTo(Duration.ofSeconds(4));
        assertThat(upkeep.probeThreads()).isEqualTo(5);
        assertThat(upkeep.probesPerRound()).isEqualTo(13);
        assertThat(upkeep.stuckAfter()).isEqualTo(Duration.ofMinutes(6));
        assertThat(read("upkeep.probe-pause: 7s").limits().upkeep().probePause())
                .isEqualTo(Duration.ofSeconds(7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "reconcile: 0s",
                "upkeep.reconcile-batch: 0",
                "upkeep.sweep-every: 0s",
                "upkeep.sweep-batch: 0",
                "upkeep.lease: 0s",
                "upkeep.probe-timeout: 0s",
                "upkeep.probe-threads: 257",
                "upkeep.probes-per-round: 0",
                "upkeep.probe-pause: 0s",
                "upkeep.stuck-after: 366d"
            })
    void maintenance_that_cannot_be_is_refused_with_its_line_and_name(String wrong) {
        assertThatThrownBy(() -> read(wrong))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("gateway.yaml:1: " + wrong.substring(0, wrong.indexOf(':')))
                .hasMessageContaining("must be between 1");
    }

    @Test
    void where_to_is_all_that_must_be_said() {
        GatewayConfig config = ConfigReader.read(null, Map.of("to", "http://localhost:9000"));
        assertThat(config.listen()).hasToString("127.0.0.1:8687");
        assertThat(config.admin().kind()).isEqualTo(AdminAddress.Kind.WITH_CLIENTS);
        assertThat(config.store()).isEqualTo("sqlite:onefold.db");
        assertThat(config.who().principal()).hasToString("anonymous");
        assertThat(config.who().chosen()).isFalse();
        assertThat(config.limits().timeout()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.rules().routes()).singleElement().satisfies(route -> {
            assertThat(route.methods()).isEqualTo(Set.of("POST", "PATCH"));
            assertThat(route.pattern()).isEqualTo("/**");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:8687, http://localhost:8687",
        "127.0.0.1:8687, http://127.0.0.1:8687/base",
        "'[::1]:8687', 'http://[::1]:8687'",
        "localhost:8687, http://127.0.0.1:8687"
    })
    void a_gateway_before_itself_is_refused(String listen, String to) {
        assertThatThrownBy(() -> ConfigReader.read(null, Map.of("listen", listen, "to", to)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--to: " + to + " is where the gateway itself listens")
                .hasMessageContaining("name the service");
    }

    @Test
    void another_port_of_this_machine_is_another_service() {
        assertThat(ConfigReader.read(null, Map.of("listen", "127.0.0.1:8687", "to", "http://127.0.0.1:8688"))
                        .to())
                .hasPort(8688);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "replay-marker: Connection | means something else",
                "replay-marker: Re played | is the name of a header",
                "replay-marker: Idempotency-Key | keys come in it",
                "replay-marker: X-Total\\ndefaults: {store-headers: [X-Total]} | store-headers names it",
                "replay-marker: X-User\\nprincipal: header:x_user\\ntrusted-proxies: 10.0.0.1 | says who asks",
                "overloaded: 500 | the status is 503 or 429"
            })
    void a_marker_or_status_that_cannot_be_is_refused_with_its_line(String yaml, String why) {
        assertThatThrownBy(() -> read("\n" + yaml.replace("\\n", "\n")))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("gateway.yaml:2: " + yaml.substring(0, yaml.indexOf(':')))
                .hasMessageContaining(why);
    }

    @Test
    void everything_can_be_said() {
        GatewayConfig config = read("""
                listen: 0.0.0.0:80
                admin: 10.0.0.1:9
                to: https://service.example/base
                store: jdbc:postgresql://db/x
                principal: jwt:sub
                tenant: header:X-Tenant
                jwks: https://issuer.example/keys
                issuer: https://issuer.example
                audience: shop
                trusted-proxies: [10.0.0.0/8, 192.0.2.1, 'fd00::/8']
                authorize: http://rights/may
                timeout: 30s
                connect-timeout: 500ms
                idle-timeout: 1m
                head-timeout: 10s
                receive-timeout: 2m
                body-rate: 1KiB
                drain: 0
                header-size: 8KiB
                connections: 100
                upstream-connections: 10
                waiters: {per-key: 3, in-all: 40}
                profile: stripe
                strict: true
                status-queries: on
                issue-tokens: yes
                token-life: 5m
                cors: {origins: [https://a.example], credentials: true}
                replay-marker: Idempotency-Replayed
                overloaded: 429
                spool: /var/tmp
                memory-for-bodies: 64MiB
                methods: [POST, PUT]
                defaults:
                  required: true
                  key: {sources: ['header:Idempotency-Key', 'json:$.id'], syntax: sf-strict, min-length: 8, max-length: 64}
                  keep: 3d
                  retries: 2d
                  tell-keep: false
                  wait: 1s
                  lease: 10s
                  max-run: 5m
                  on-5xx: unknown
                  never-store: [418, 451]
                  store-only-success: false
                  store-headers: X-Total
                  store-body: true
                  in-progress: 425
                  in-progress.message: come back later
                  unknown: 500
                  response.max: 1MiB
                  streaming: reject
                  on-store-failure: open
                  fingerprint: {headers: [X-Tenant], body: canonical, ignore: [trace.id], ignore-query: [sentAt]}
                  body: {max: 5MiB, memory: 64KiB, multipart: raw}
                  safe-to-repeat: false
                  waiters-share-failure: true
                  hash-keys: true
                  forward: strip
                routes:
                  - match: POST,PUT /orders/{id}/capture
                    operation: capture
                    keep: 7d
                    duplicates: reject
                    duplicates.message: once is enough
                  - match: POST /forms
                    tokens: true
                    operation: form
                  - pass: /internal/**
                """, Map.of());
        assertThat(config.admin().kind()).isEqualTo(AdminAddress.Kind.AT);
        assertThat(config.admin().address()).hasToString("10.0.0.1:9");
        assertThat(config.rules().routes()).hasSize(4);
        assertThat(config.rules().routes().get(0).methods()).isEqualTo(Set.of("POST", "PUT"));
        assertThat(config.rules().routes().get(0).operation()).isEqualTo("capture");
        assertThat(config.rules().routes().get(2).passes()).isTrue();
        assertThat(config.rules().routes().get(3).methods()).isEqualTo(Set.of("POST", "PUT"));
        assertThat(config.limits().drain()).isZero();
        assertThat(config.limits().waitersPerKey()).isEqualTo(3);
        assertThat(config.limits().waitersInAll()).isEqualTo(40);
        assertThat(config.limits().head()).hasSeconds(10);
        assertThat(config.limits().receive()).hasMinutes(2);
        assertThat(config.limits().bodyRate()).isEqualTo(1024);
        assertThat(config.rules().memoryForBodies()).isEqualTo(64L << 20);
        assertThat(config.limits().headerBytes()).isEqualTo(8_192);
        assertThat(config.rules().replayMarker().name()).isEqualTo("Idempotency-Replayed");
        assertThat(config.rules().overloadedStatus()).isEqualTo(429);
    }

    @Test
    void the_command_line_goes_over_the_file() {
        assertThat(read("to: http://a:1\nlisten: 127.0.0.1:1", Map.of("to", "http://b:2"))
                        .to())
                .hasToString("http://b:2");
    }

    @Test
    void secrets_may_stand_in_the_environment() {
        assertThat(read("store: jdbc:postgresql://db/${PATH}").store())
                .isEqualTo("jdbc:postgresql://db/" + System.getenv("PATH"));
        assertThatThrownBy(() -> read("\nstore: jdbc:x:${NO_SUCH_THING_9}"))
                .hasMessage("gateway.yaml:2: store: the environment has no variable NO_SUCH_THING_9");
    }

    @Test
    void an_address_that_others_can_reach_needs_a_principal() {
        assertThatThrownBy(() -> ConfigReader.read(null, Map.of("to", "http://a", "listen", "0.0.0.0:80")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "--listen", "0.0.0.0:80", "--principal", "header:NAME, jwt:CLAIM or anonymous");
        GatewayConfig chosen =
                ConfigReader.read(null, Map.of("to", "http://a", "listen", "0.0.0.0:80", "principal", "anonymous"));
        assertThat(chosen.who().chosen()).isTrue();
        assertThat(chosen.admin().kind()).isEqualTo(AdminAddress.Kind.NEAR);
        assertThat(chosen.admin().address()).as("not where others are").hasToString("127.0.0.1:81");
    }

    @Test
    void tokens_need_an_issuer_and_an_audience_where_others_can_reach_the_gateway() {
        String tokens = "principal: jwt:sub\njwks: http://a/b\n";
        String open = "listen: 0.0.0.0:80\n" + tokens;
        assertThatThrownBy(() -> read(open))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("gateway.yaml:3", "0.0.0.0:80", "add issuer and audience");
        assertThatThrownBy(() -> read(open + "issuer: https://a")).hasMessageEndingWith("add audience");
        assertThatThrownBy(() -> read(open + "audience: shop")).hasMessageEndingWith("add issuer");
        assertThat(read(open + "issuer: https://a\naudience: shop").who().jwt()).isNotNull();
        assertThat(read(tokens).who().jwt()).isNotNull();
        assertThatThrownBy(() -> read(tokens + "issuer-alias: a")).hasMessageContaining("none is set: add issuer");
    }

    @Test
    void no_more_may_wait_for_one_request_than_in_all() {
        assertThatThrownBy(() -> read("waiters.per-key: 20\nwaiters.in-all: 19"))
                .hasMessage("gateway.yaml:2: waiters.in-all must be between waiters.per-key, which is 20, and 1000000");
        assertThatThrownBy(() -> read("waiters.per-key: 0"))
                .hasMessage("gateway.yaml:1: waiters.per-key must be between 1 and 1000000");
        assertThat(read("waiters.per-key: 20000").limits().waitersInAll()).isEqualTo(20_000);
    }

    @Test
    void a_tenant_needs_what_a_principal_needs() {
        assertThatThrownBy(() -> read("principal: anonymous\ntenant: header:X-Tenant"))
                .hasMessageContainingAll("gateway.yaml:2: anybody can send the header X-Tenant", "trusted-proxies");
        assertThatThrownBy(() -> read("principal: header:X-User\ntenant: jwt:org\ntrusted-proxies: 10.0.0.1"))
                .hasMessageContainingAll("gateway.yaml:2: a JWT is believed only if", "--jwks");
        assertThatThrownBy(() -> read("tenant: anonymous"))
                .hasMessageContaining("gateway.yaml:1: tenant: \"anonymous\" is not one of header:NAME or jwt:CLAIM");
        assertThatThrownBy(() -> read("principal: header:X-User\ntenant: header:x-user\ntrusted-proxies: 10.0.0.1"))
                .hasMessageContaining("gateway.yaml:2: tenant and principal are both header:x-user");
        assertThat(read("principal: header:X-User\ntenant: jwt:org\ntrusted-proxies: 10.0.0.1\njwks: http://a/b")
                        .who()
                        .claims())
                .containsExactly("org");
    }

    @Test
    void health_and_metrics_may_be_nowhere() {
        assertThat(read("admin: off").admin().kind()).isEqualTo(AdminAddress.Kind.OFF);
    }

    @Test
    void what_could_have_names_may_have_none() {
        assertThat(read("defaults:\ncors:\n").rules().corsOrigins()).isEmpty();
        assertThatThrownBy(() -> read("defaults: x"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("gateway.yaml:1");
    }

    @Test
    void a_route_may_choose_otherwise_than_the_defaults() {
        assertThat(read("defaults.required: true\nroutes:\n- match: POST /clicks\n  content-dedup: 10s")
                        .rules()
                        .routes())
                .hasSize(2);
        assertThat(read("routes:\n- match: POST /a\n- match: PUT /a\n- match: POST /a/{id}\n- pass: /a")
                        .rules()
                        .routes())
                .hasSize(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "to: '${PATH} x'",
                "listen: ${PATH}",
                "timeout: ${PATH}",
                "profile: ${PATH}",
                "principal: ${PATH}",
                "trusted-proxies: ${PATH}",
                "trusted-proxies: ['${PATH}']",
                "authorize: 'x:${PATH}'",
                "spool: '${PATH}'",
                "defaults.key.sources: 'cookie:${PATH}'",
                "defaults.never-store: ${PATH}",
                "defaults.store-headers: ['${PATH}', Set-Cookie]",
                "defaults.fingerprint.only: ['${PATH}', a..b]",
                "routes: [{match: '${PATH}'}]",
                "routes: [{match: POST /a, operation: '${PATH}?'}]",
                "routes: [{match: POST /a, probe: 'http://a/${PATH}'}]"
            })
    void no_error_shows_what_is_in_the_environment(String yaml) {
        assertThatThrownBy(() -> read(yaml, yaml.startsWith("to") ? Map.of() : Map.of("to", "http://localhost")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("gateway.yaml:1")
                .hasMessageContaining("environment")
                .message()
                .doesNotContain(System.getenv("PATH").split("[:,]", -1)[0]);
    }

    @Test
    void nobody_knows_where_to_go_without_being_told() {
        assertThatThrownBy(() -> ConfigReader.read(null, Map.of())).hasMessageContaining("--to http://HOST:PORT");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `a: b: c`                                | gateway.yaml:1 | not YAML
            `- x`                                    | gateway.yaml:1 | names with values
            `\\nkepe: 1h`                            | gateway.yaml:2: there is no "kepe"; allowed are | timeout
            `defaults:\\n  kepe: 1h`                 | gateway.yaml:2: there is no "kepe" | keep
            `routes:\\n- match: POST /a\\n  kepe: 1h`| gateway.yaml:3: there is no "kepe" | keep
            `routes:\\n- keep: 1h`                   | gateway.yaml:2: a route has either match or pass | POST /orders
            `routes:\\n- match: /a`                  | gateway.yaml:2: match: "/a" is not a method and a path | POST /orders
            `routes:\\n- match: POST a`              | gateway.yaml:2: match: "a" does not begin with / | /
            `routes:\\n- match: GET /a`              | gateway.yaml:2: match: GET changes nothing | POST
            `routes:\\n- match: QUERY /a`            | gateway.yaml:2: match: QUERY changes nothing | POST
            `methods: [POST, QUERY]`                 | gateway.yaml:1: methods: QUERY changes nothing | POST
            `routes: POST /a`                        | gateway.yaml:1: routes is a list | -
            `routes:\\n  match: POST /a`               | gateway.yaml:2: routes is a list | each item begins with "- "
            `default: {keep: 1h}`                    | gateway.yaml:1: there is no "default.keep" | connections, cors.credentials, cors.origins, defaults, drain
            `timeout: soon`                          | gateway.yaml:1: timeout: "soon" is not a duration | 24h
            `timeout: 0`                             | gateway.yaml:1: timeout must be longer | nothing
            `timeout: 99999999999d`                  | gateway.yaml:1: timeout: "99999999999d" is longer | 3660d
            `timeout: [1s]`                          | gateway.yaml:1: timeout takes one value | list
            `timeout:`                               | gateway.yaml:1: timeout has no value | value
            `header-size: 12 cows`                   | gateway.yaml:1: header-size: "12 cows" is not a size | 10MiB
            `header-size: 1B`                        | gateway.yaml:1: header-size must be between | 1048576
            `connections: many`                      | gateway.yaml:1: connections: "many" is not a whole number | number
            `strict: perhaps`                        | gateway.yaml:1: strict: "perhaps" is neither | false
            `profile: visa`                          | gateway.yaml:1: profile: "visa" is not one of | ietf, stripe, azure, legacy
            `defaults.on-5xx: ignore`                | gateway.yaml:1: on-5xx: "ignore" is not one of | replay, retry, unknown
            `defaults.in-progress: 200`              | gateway.yaml:1: in-progress | 409
            `defaults.never-store: [418, x]`         | gateway.yaml:1: never-store: "x" is not a status | 599
            `defaults.key.sources: [cookie:x]`       | gateway.yaml:1: key.sources | header:
            `defaults.key.max-length: 999`           | gateway.yaml:1: key.max-length | 255
            `defaults: {duplicates: replay, duplicates.message: x}` | duplicates.message is for duplicates: reject | replay
            `defaults.key.min-length: 20\\nroutes:\\n- match: POST /a\\n  key.max-length: 10` | gateway.yaml:4: key.max-length | from 20 to 10
            `defaults.retries: 0`                    | gateway.yaml:1: retries: retriesFor must be longer than nothing | PT0S
            `\\ndefaults.retries: 24h`             | gateway.yaml:2: retries: operation | keep PT24H is shorter than lease PT30S and retries PT24H together
            `defaults.retries: 1h\\nroutes:\\n- match: POST /a\\n  keep: 30m` | gateway.yaml:4: keep: operation POST /a: keep PT30M | lease PT30S and retries PT1H
            `profile: legacy\\nroutes:\\n- match: POST /a\\n  retries: 5m` | gateway.yaml:4: retries: operation POST /a: keep PT5M | lease PT30S and retries PT5M
            `defaults.wait: 1h`                      | gateway.yaml:1: wait: operation | waitFor PT1H is longer than maxRun PT10M
            `routes:\\n- match: POST /a\\nmethods: []` | gateway.yaml:3: methods: name at least one | otherwise: pass
            `defaults.response.max: 1GiB`            | gateway.yaml:1: response.max | 64MiB
            `defaults.response.max: 3GiB`            | gateway.yaml:1: response.max | 64MiB
            `defaults.body.memory: 3GiB`             | gateway.yaml:1: body.memory | 1024MiB
            `routes:\\n- keep: 3d\\n  match: POST /orders/*` | gateway.yaml:3: match: route "/orders/*" | ** at the end
            `routes:\\n- match: POST /a\\n  keep: 3d\\n  operation: a?b` | gateway.yaml:4: operation: operation name "a?b" | at most 100
            `routes:\\n- pass: /internal/*`          | gateway.yaml:2: pass: route "/internal/*" | ** at the end
            `routes:\\n- match: POST /a\\n  tokens: true` | gateway.yaml:3: tokens: | issue-tokens: true
            `defaults.tokens: true`                  | gateway.yaml:1: tokens: | issue-tokens: true
            `issue-tokens: true\\nroutes:\\n- match: POST /a\\n  tokens: true\\n  keep: 5m` | gateway.yaml:5: keep: PT5M is shorter than token-life PT10M | twice
            `issue-tokens: true\\nprofile: legacy\\nroutes:\\n- match: POST /a\\n  tokens: true` | gateway.yaml:5: keep: PT5M is shorter than token-life PT10M | twice
            `issue-tokens: true\\nroutes:\\n- match: POST /a\\n  tokens: true\\n  content-dedup: 5s` | operation POST /a: tokens and contentKey PT5S | all the same
            `issue-tokens: true\\ntoken-life: 0`     | gateway.yaml:2: token-life must be longer | nothing
            `cors: {origins: ['*'], credentials: true}` | gateway.yaml:1: cors.credentials: true is for origins that are named | "*"
            `issuer: https://a`                      | gateway.yaml:1: issuer is for --principal jwt:CLAIM | anonymous
            `audience: a`                            | gateway.yaml:1: audience is for --principal jwt:CLAIM | anonymous
            `otherwise: pass\\nmethods: [PUT]`       | gateway.yaml:2: methods are those | otherwise: pass
            `routes:\\n- match: POST /a\\n  content-dedup: 1s\\n  required: true` | gateway.yaml:4: required: true | content-dedup
            `routes:\\n- match: POST /a\\n- match: PUT,POST /a` | gateway.yaml:3: match: POST /a is there already, at gateway.yaml:2 | first
            `routes:\\n- match: POST /a/{b}\\n- match: POST /a/{c}` | gateway.yaml:3: match: POST /a/{c} is there already, at gateway.yaml:2 | first
            `routes:\\n- pass: /a\\n- match: POST /a` | gateway.yaml:3: match: POST /a is there already, at gateway.yaml:2 | first
            `routes:\\n- pass: /a\\n- pass: /a`      | gateway.yaml:3: pass: /a is there already, at gateway.yaml:2 | first
            `routes:\\n- match: POST /a\\n  operation: x\\n- match: POST /b\\n  operation: x\\n  hash-keys: true` | gateway.yaml:5: operation: the routes /a and /b are one operation, x, but hashKeys is false for the first and true | names of their own
            `operation: x`                           | gateway.yaml:1: there is no "operation" | allowed are
            `routes:\\n- pass: /a\\n  operation: x` | gateway.yaml:3: there is no "operation" | allowed are
            `spool: /no/such/directory`              | gateway.yaml:1: spool: "/no/such/directory" is not a directory | written to
            `jwks: 'http:x'\\nprincipal: jwt:sub`    | gateway.yaml:1: jwks: "http:x" is not an address | http://
            `keep: 1h\\nkeep: 2h`                    | gateway.yaml:2: "keep" is there already, at gateway.yaml:1 | keep
            `listen: nowhere`                        | gateway.yaml:1: listen: "nowhere" is not HOST:PORT | 127.0.0.1:8687
            `listen: ::1:80`                         | gateway.yaml:1: listen: "::1:80" is not HOST:PORT | [::1]:8687
            `to: ftp://x`                            | --to | http
            `to: http://localhost:9000?a=b`          | gateway.yaml:1: to: "http://localhost:9000?a=b" has a query | no more than a path
            `store: mongo://user:secret@x`           | gateway.yaml:1: store: a store is | sqlite:PATH, jdbc:URL or redis://HOST:PORT
            `principal: cookie`                      | gateway.yaml:1: principal: "cookie" is not one of | header:NAME, jwt:CLAIM or anonymous
            `principal: header:X-User`               | gateway.yaml:1: anybody can send the header X-User | trusted-proxies
            `principal: jwt:sub`                     | gateway.yaml:1: a JWT is believed only | --jwks FILE or URL
            `jwks: x`                                | gateway.yaml:1: jwks is for --principal jwt:CLAIM | anonymous
            `trusted-proxies: proxy.example`         | gateway.yaml:1: trusted-proxies: "proxy.example" is not an address | 10.0.0.0/8
            `trusted-proxies: 10.0.0.0/33`           | gateway.yaml:1: trusted-proxies | 10.0.0.0/8
            `trusted-proxies: 10.1/16`               | trusted-proxies: "10.1/16" is not an address | 10.0.0.0/8
            `trusted-proxies: 10.0.0.256`            | trusted-proxies: "10.0.0.256" is not an address | 10.0.0.0/8
            `trusted-proxies: 010.0.0.1`             | trusted-proxies: "010.0.0.1" is not an address | 10.0.0.0/8
            `trusted-proxies: '::ffff:10.0.0.0/24'`  | trusted-proxies: "::ffff:10.0.0.0/24" is not an address | fd00::/8
            `trusted-proxies: 10.1.2.0/16`           | "10.1.2.0/16" has bits set behind its prefix of 16 | 10.1.0.0/16
            `trusted-proxies: 'fd00:1::/8'`          | "fd00:1::/8" has bits set behind its prefix of 8 | fd00:0:0:0:0:0:0:0/8
            """)
    void an_error_names_its_line_and_what_is_allowed(String yaml, String where, String allowed) {
        String text = yaml.replace("\\n", "\n");
        Map<String, String> options = text.equals("to: ftp://x")
                ? Map.of("to", "ftp://x")
                : text.startsWith("to:") ? Map.of() : Map.of("to", "http://localhost:9000");
        assertThatThrownBy(() -> read(text, options))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(where)
                .hasMessageContaining(allowed)
                .message()
                .doesNotContain("secret");
    }

    @Test
    void a_file_that_is_not_there_is_named() {
        assertThatThrownBy(() -> ConfigReader.read(directory.resolve("none.yaml"), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is no file")
                .hasMessageContaining("none.yaml");
    }

    @Test
    void networks_hold_their_addresses_and_no_others() throws Exception {
        AddressBlocks networks = AddressBlocks.of(java.util.List.of("10.0.0.0/15", "192.0.2.7", "fd00::/8"));
        for (String in : new String[] {"10.1.0.1", "10.0.255.255", "192.0.2.7", "fd12::1"}) {
            assertThat(networks.contain(java.net.InetAddress.getByName(in)))
                    .as(in)
                    .isTrue();
        }
        for (String out : new String[] {"10.2.0.1", "192.0.2.8", "fe80::1", "11.0.0.1"}) {
            assertThat(networks.contain(java.net.InetAddress.getByName(out)))
                    .as(out)
                    .isFalse();
        }
    }
}
