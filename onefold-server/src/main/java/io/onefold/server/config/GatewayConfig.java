package io.onefold.server.config;

import io.onefold.http.HttpPolicy;
import io.onefold.http.HttpProfile;
import io.onefold.http.ReplayHeader;
import io.onefold.http.Route;
import io.onefold.payload.FingerprintKeys;
import io.onefold.payload.ResultSerializer;
import io.onefold.upkeep.MaintenanceSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a gateway.
 *
 * @param to the service behind
 * @param places the place of each name, for errors that only show when a value is used
 */
public record GatewayConfig(
        ListenAddress listen,
        AdminAddress admin,
        URI to,
        String store,
        Secrets secrets,
        CallerConfig who,
        LimitConfig limits,
        ContractConfig rules,
        Map<String, String> places) {

    /** Returns the place of a name and the name itself; the option that sets it, if it is not set. */
    public String place(String name) {
        return places.getOrDefault(name, "--" + name);
    }

    /** The keys that protect stored data from people who can read or write the store. */
    public record Secrets(FingerprintKeys fingerprints, ResultSerializer results) {}

    /**
     * The rules for identifying callers, and the parties that are trusted.
     *
     * @param tenant null if there is only one
     * @param proxies trusted proxies in front
     * @param authorize asked before an earlier response is returned; null if nobody is asked
     */
    public record CallerConfig(
            PrincipalRule principal,
            @Nullable PrincipalRule tenant,
            boolean chosen,
            AddressBlocks proxies,
            @Nullable JwtConfig jwt,
            @Nullable URI authorize) {

        /** Returns the headers by which proxies in front name the caller and the tenant. */
        public List<String> headers() {
            return names(PrincipalRule.Kind.HEADER);
        }

        /** Returns the claims by which tokens name them. */
        public List<String> claims() {
            return names(PrincipalRule.Kind.JWT);
        }

        private List<String> names(PrincipalRule.Kind kind) {
            return Stream.of(Optional.of(principal), Optional.ofNullable(tenant))
                    .flatMap(Optional::stream)
                    .filter(rule -> rule.kind() == kind)
                    .map(PrincipalRule::name)
                    .toList();
        }
    }

    /**
     * The accepted tokens.
     *
     * @param keys a file, or an address that begins with http
     * @param where the place in the configuration that names the keys
     * @param alias stands for the issuer in the identity of callers; null for the issuer itself
     */
    public record JwtConfig(
            String keys,
            String where,
            @Nullable String issuer,
            @Nullable String audience,
            @Nullable String alias) {}

    /**
     * The limits on time and size.
     *
     * @param timeout how long the service may be silent
     * @param head how long a client may take to send the head of a request
     * @param receive how long a client may take to send a body that is protected
     * @param bodyRate the least rate, in bytes for each second, of a body that is passed on unread, after a grace period
     * @param drain how long requests in progress may take to end after the signal to stop
     * @param upstreamConnections to the service, at most
     * @param waitersPerKey duplicates that wait for one request, at most
     * @param waitersInAll for all of them
     */
    public record LimitConfig(
            Duration timeout,
            Duration connect,
            Duration idle,
            Duration head,
            Duration receive,
            int bodyRate,
            Duration drain,
            MaintenanceSettings upkeep,
            int headerBytes,
            int connections,
            int upstreamConnections,
            int waitersPerKey,
            int waitersInAll) {}

    /**
     * The protected requests, and the rules for them.
     *
     * @param memoryForBodies in bytes; null for the usual share of the heap
     * @param probes the addresses that tell the outcome of a route's requests whose responses were lost
     */
    public record ContractConfig(
            HttpProfile profile,
            HttpPolicy defaults,
            List<Route> routes,
            Map<Route, ProbeUrl> probes,
            boolean strict,
            boolean statusQueries,
            Set<String> corsOrigins,
            boolean corsCredentials,
            ReplayHeader replayMarker,
            int overloadedStatus,
            boolean tokens,
            Duration tokenLife,
            @Nullable Path spool,
            @Nullable Long memoryForBodies) {}
}
