package io.onefold.server.config;

import io.onefold.http.HeaderNames;
import io.onefold.http.HttpPolicy;
import io.onefold.http.HttpProfile;
import io.onefold.http.ReplayHeader;
import io.onefold.http.Route;
import io.onefold.server.config.GatewayConfig.CallerConfig;
import io.onefold.server.config.GatewayConfig.ContractConfig;
import io.onefold.server.config.GatewayConfig.JwtConfig;
import io.onefold.server.config.GatewayConfig.LimitConfig;
import io.onefold.server.config.GatewayConfig.Secrets;
import io.onefold.upkeep.MaintenanceSettings;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.reader.ReaderException;

/** Reads the configuration of a gateway: a file, and the options of the command line, which take precedence. */
public final class ConfigReader {
    private static final ListenAddress LISTEN = new ListenAddress("127.0.0.1", 8687);
    private static final String STORE = "sqlite:onefold.db";

    private final ConfigSection top;

    private ConfigReader(ConfigSection top) {
        this.top = top;
    }

    /**
     * Reads and checks the whole configuration.
     *
     * @param file null for none
     * @param options by their names in the file; the command line uses the same names
     */
    public static GatewayConfig read(@Nullable Path file, Map<String, String> options) {
        String name = file == null ? "the command line" : String.valueOf(file.getFileName());
        ConfigSection top = ConfigSection.of(name, file == null ? null : compose(file));
        options.forEach((option, text) -> top.override(option, "--" + option, text));
        return new ConfigReader(top).read();
    }

    private static @Nullable Node compose(Path file) {
        try (Reader reader = Files.newBufferedReader(file)) {
            return new Yaml(new LoaderOptions()).compose(reader);
        } catch (NoSuchFileException e) {
            throw new ConfigException("--config: there is no file " + file);
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw new ConfigException(file.getFileName() + ":" + line + ": this is not YAML: " + e.getProblem());
        } catch (ReaderException e) {
            throw new ConfigException(file.getFileName() + ":" + line(file, e)
                    + ": this is not YAML: it has the character " + String.format("U+%04X", e.getCodePoint()));
        } catch (IOException | YAMLException e) {
            throw new ConfigException("--config: " + file + " cannot be read: " + why(file, e));
        }
    }

    /** Returns the line of the error. The YAML reader only knows how many characters came before it. */
    private static long line(Path file, ReaderException e) {
        try {
            return 1
                    + Files.readString(file)
                            .codePoints()
                            .limit(e.getPosition())
                            .filter(c -> c == '\n')
                            .count();
        } catch (IOException again) {
            return 1;
        }
    }

    private static String why(Path file, Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        if (Files.isDirectory(file)) {
            return "it is a directory";
        } else if (cause instanceof CharacterCodingException) {
            return "it is not UTF-8";
        } else if (cause instanceof AccessDeniedException) {
            return "this user may not";
        }
        return String.valueOf(cause.getMessage());
    }

    private GatewayConfig read() {
        URI to = top.value("to", ServiceUrl::base);
        ListenAddress listen = or(top.value("listen", ListenAddress::parse), LISTEN);
        AdminAddress admin = or(top.value("admin", AdminAddress::parse), AdminAddress.besides(listen));
        String store = or(top.value("store", ConfigReader::store), STORE);
        Secrets secrets = new SecretReader(top, System::getenv).read();
        CallerConfig who = who(listen);
        LimitConfig limits = limits();
        ContractConfig rules = rules(who);
        top.done();
        if (to == null) {
            throw new ConfigException(
                    "it is not said where requests go to: add --to http://HOST:PORT, or \"to: http://HOST:PORT\" to a file");
        }
        if (listen.hears(to)) {
            throw new ConfigException(top.where("to") + ": " + to + " is where the gateway itself listens (" + listen
                    + "), so requests would come back to it without end: name the service, or another place to listen");
        }
        return new GatewayConfig(
                listen, admin, to, store, secrets, who, limits, rules, places("listen", "admin", "store"));
    }

    private Map<String, String> places(String... names) {
        return Arrays.stream(names).filter(top::has).collect(Collectors.toUnmodifiableMap(name -> name, top::place));
    }

    private CallerConfig who(ListenAddress listen) {
        PrincipalRule chosen = top.value("principal", PrincipalRule::parse);
        if (chosen == null && !listen.loopback()) {
            throw new ConfigException(top.where("listen") + ": others can reach " + listen
                    + ", so it must be said how they are told apart: --principal " + PrincipalRule.ALLOWED);
        }
        PrincipalRule principal = or(chosen, PrincipalRule.parse("anonymous"));
        AddressBlocks proxies = AddressBlocks.of(or(top.list("trusted-proxies", ConfigReader::network), List.of()));
        String keys = top.value("jwks", ConfigReader::keys);
        String issuer = top.text("issuer");
        String audience = top.text("audience");
        URI authorize = top.value("authorize", ServiceUrl::checked);
        PrincipalRule tenant = top.value("tenant", PrincipalRule::tenant);
        String alias = top.text("issuer-alias");
        JwtConfig jwt = keys == null ? null : new JwtConfig(keys, top.where("jwks"), issuer, audience, alias);
        CallerConfig who = new CallerConfig(principal, tenant, chosen != null, proxies, jwt, authorize);
        believable("principal", principal, who);
        if (tenant != null) {
            believable("tenant", tenant, who);
            if (tenant.toString().equalsIgnoreCase(principal.toString())) {
                throw new ConfigException(top.where("tenant") + ": tenant and principal are both " + tenant
                        + ": let each have its own, or say the principal alone");
            }
        }
        for (String name : List.of("jwks", "issuer", "audience", "issuer-alias")) {
            if (who.claims().isEmpty() && top.has(name)) {
                throw new ConfigException(top.where(name) + ": " + name
                        + " is for --principal jwt:CLAIM, but the principal is " + principal);
            }
        }
        if (!who.claims().isEmpty() && !listen.loopback() && (issuer == null || audience == null)) {
            throw new ConfigException(top.where("jwks") + ": others can reach " + listen
                    + ", so a token is believed only from a known issuer"
                    + " and if it is meant for this service: add " + (issuer == null ? "issuer" : "audience")
                    + (issuer == null && audience == null ? " and audience" : ""));
        }
        if (alias != null && issuer == null) {
            throw new ConfigException(
                    top.where("issuer-alias") + ": issuer-alias stands for the issuer, but none is set: add issuer");
        }
        return who;
    }

    /** Rejects a rule by which any client could claim any identity. */
    private void believable(String what, PrincipalRule rule, CallerConfig who) {
        if (rule.kind() == PrincipalRule.Kind.HEADER && who.proxies().isEmpty()) {
            throw new ConfigException(top.where(what) + ": anybody can send the header " + rule.name()
                    + "; it is believed only from the addresses in trusted-proxies, and none are listed: "
                    + AddressBlocks.ALLOWED);
        }
        if (rule.kind() == PrincipalRule.Kind.JWT && who.jwt() == null) {
            throw new ConfigException(top.where(what)
                    + ": a JWT is believed only if its signature is right: --jwks FILE or URL is needed");
        }
    }

    private static String network(String text) {
        var unused = AddressBlocks.of(List.of(text));
        return text;
    }

    private static String keys(String text) {
        return text.startsWith("http:") || text.startsWith("https:")
                ? ServiceUrl.checked(text).toString()
                : text;
    }

    private LimitConfig limits() {
        return new LimitConfig(
                positive("timeout", Duration.ofSeconds(60)),
                positive("connect-timeout", Duration.ofSeconds(5)),
                positive("idle-timeout", Duration.ofSeconds(30)),
                positive("head-timeout", Duration.ofSeconds(20)),
                positive("receive-timeout", Duration.ofSeconds(60)),
                (int) within("body-rate", or(top.bytes("body-rate"), 100L), 0, 1 << 30),
                or(top.duration("drain"), Duration.ofSeconds(30)),
                upkeep(),
                (int) within("header-size", or(top.bytes("header-size"), 16L << 10), 1 << 10, 1 << 20),
                (int) within("connections", or(top.number("connections"), 10_000), 1, 1_000_000),
                (int) within("upstream-connections", or(top.number("upstream-connections"), 256), 1, 65_535),
                (int) within("waiters.per-key", or(top.number("waiters.per-key"), 16), 1, 1_000_000),
                waitersInAll());
    }

    /** Reads the maintenance settings. A missing value keeps the library's default. */
    private MaintenanceSettings upkeep() {
        MaintenanceSettings upkeep = MaintenanceSettings.standard().sweepBatch(500);
        upkeep = upkeep("reconcile", top::duration, upkeep, MaintenanceSettings::reconcileEvery);
        upkeep = upkeep("upkeep.reconcile-batch", top::number, upkeep, MaintenanceSettings::reconcileBatch);
        upkeep = upkeep("upkeep.sweep-every", top::duration, upkeep, MaintenanceSettings::sweepEvery);
        upkeep = upkeep("upkeep.sweep-batch", top::number, upkeep, MaintenanceSettings::sweepBatch);
        upkeep = upkeep("upkeep.lease", top::duration, upkeep, MaintenanceSettings::lease);
        upkeep = upkeep("upkeep.probe-timeout", top::duration, upkeep, MaintenanceSettings::probeTimeout);
        upkeep = upkeep("upkeep.probe-threads", top::number, upkeep, MaintenanceSettings::probeThreads);
        upkeep = upkeep("upkeep.probes-per-round", top::number, upkeep, MaintenanceSettings::probesPerRound);
        upkeep = upkeep("upkeep.probe-pause", top::duration, upkeep, MaintenanceSettings::probePause);
        return upkeep("upkeep.stuck-after", top::duration, upkeep, MaintenanceSettings::stuckAfter);
    }

    private <T> MaintenanceSettings upkeep(
            String name,
            Function<String, @Nullable T> read,
            MaintenanceSettings upkeep,
            BiFunction<MaintenanceSettings, T, MaintenanceSettings> set) {
        T value = read.apply(name);
        return value == null ? upkeep : top.checked(name, () -> set.apply(upkeep, value));
    }

    private int waitersInAll() {
        int perKey = or(top.number("waiters.per-key"), 16);
        int inAll = or(top.number("waiters.in-all"), Math.max(10_000, perKey));
        if (inAll < perKey || inAll > 1_000_000) {
            throw new ConfigException(top.place("waiters.in-all") + " must be between waiters.per-key, which is "
                    + perKey + ", and 1000000");
        }
        return inAll;
    }

    private Duration positive(String name, Duration standard) {
        Duration duration = or(top.duration(name), standard);
        if (duration.isZero()) {
            throw new ConfigException(top.place(name) + " must be longer than nothing");
        }
        return duration;
    }

    private long within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new ConfigException(top.place(name) + " must be between " + least + " and " + most);
        }
        return value;
    }

    private ContractConfig rules(CallerConfig who) {
        HttpProfile profile = or(top.choice("profile", HttpProfile.class), HttpProfile.IETF);
        boolean tokens = or(top.flag("issue-tokens"), false);
        Duration tokenLife = positive("token-life", Duration.ofMinutes(10));
        ConfigSection inner = top.inner("defaults");
        PolicyReader reader = PolicyReader.defaults(inner, profile, tokens ? tokenLife : null);
        HttpPolicy defaults = reader.read();
        inner.done();
        RouteReader.RouteConfig read = RouteReader.read(top, reader);
        List<String> origins = or(top.list("cors.origins", text -> text), List.of());
        boolean credentials = or(top.flag("cors.credentials"), false);
        if (credentials && origins.contains("*")) {
            throw new ConfigException(top.where("cors.credentials")
                    + ": cors.credentials: true is for origins that are named, but cors.origins has \"*\"");
        }
        return new ContractConfig(
                profile,
                defaults,
                read.routes(),
                read.probes(),
                or(top.flag("strict"), false),
                or(top.flag("status-queries"), false),
                Set.copyOf(origins),
                credentials,
                marker(profile, defaults, read.routes(), who),
                or(top.value("overloaded", ConfigReader::overloaded), 503),
                tokens,
                tokenLife,
                top.value("spool", ConfigReader::directory),
                top.bytes("memory-for-bodies"));
    }

    private ReplayHeader marker(HttpProfile profile, HttpPolicy defaults, List<Route> routes, CallerConfig who) {
        ReplayHeader marker = or(top.value("replay-marker", ReplayHeader::new), new ReplayHeader(ReplayHeader.USUAL));
        return top.checked("replay-marker", () -> {
            marker.check(profile, defaults, routes);
            for (String header : who.headers()) {
                if (HeaderNames.readAlike(header, marker.name())) {
                    throw new IllegalArgumentException("the replay marker cannot be " + marker.name()
                            + ", which says who asks (principal, tenant)");
                }
            }
            return marker;
        });
    }

    private static Integer overloaded(String text) {
        if (!text.equals("429") && !text.equals("503")) {
            throw new IllegalArgumentException("the status is 503 or 429, not \"" + text + "\"");
        }
        return Integer.valueOf(text);
    }

    private static Path directory(String text) {
        Path directory = Path.of(text);
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw new IllegalArgumentException("\"" + text + "\" is not a directory that can be written to");
        }
        return directory;
    }

    private static String store(String text) {
        for (String kind : List.of("sqlite:", "jdbc:", "redis://", "rediss://")) {
            if (text.startsWith(kind) && text.length() > kind.length()) {
                return text;
            }
        }
        // the written value may contain a password
        throw new IllegalArgumentException("a store is sqlite:PATH, jdbc:URL or redis://HOST:PORT");
    }

    private static <T> T or(@Nullable T value, T standard) {
        return value == null ? standard : value;
    }
}
