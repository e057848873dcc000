package io.onefold.server.config;

import io.onefold.http.Policy;
import io.onefold.http.Profile;
import io.onefold.http.ReplayMarker;
import io.onefold.http.Route;
import io.onefold.payload.FingerprintKeys;
import io.onefold.payload.Results;
import io.onefold.upkeep.UpkeepSettings;
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
 * All that a gateway is told.
 *
 * @param to the service behind
 * @param places where a name was said, for what turns out to be wrong only when it is tried
 */
public record GatewayConfig(
        Address listen,
        AdminPlace admin,
        URI to,
        String store,
        Secrets secrets,
        Who who,
        Limits limits,
        Rules rules,
        Map<String, String> places) {

    /** Where the name was said, and the name; the option that says it, if nobody did. */
    public String place(String name) {
        return places.getOrDefault(name, "--" + name);
    }

    /** What protects that which is stored from who can read or write the store. */
    public record Secrets(FingerprintKeys fingerprints, Results results) {}

    /**
     * Who asks, and who is believed.
     *
     * @param tenant null where there is one only
     * @param proxies those in front that are believed
     * @param authorize asked before an earlier answer is given; null for nobody
     */
    public record Who(
            PrincipalRule principal,
            @Nullable PrincipalRule tenant,
            boolean chosen,
            Networks proxies,
            @Nullable Jwt jwt,
            @Nullable URI authorize) {

        /** Headers by which proxies in front say who asks, and for which tenant. */
        public List<String> headers() {
            return names(PrincipalRule.Kind.HEADER);
        }

        /** Claims by which tokens say it. */
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
     * Whose tokens are taken.
     *
     * @param keys a file, or an address that begins with http
     * @param where the keys are said
     * @param alias stands for the issuer in the identity of callers; null for the issuer itself
     */
    public record Jwt(
            String keys,
            String where,
            @Nullable String issuer,
            @Nullable String audience,
            @Nullable String alias) {}

    /**
     * How long and how much.
     *
     * @param timeout how long the service may be silent
     * @param head how long a client may take to send the head of a request
     * @param receive how long a client may take to send a body that is protected
     * @param bodyRate bytes in a second that a body which passes has to come with, once it has come for so long
     * @param drain how long requests under way may take to end after the signal to stop
     * @param upstreamConnections to the service, at most
     * @param waitersPerKey duplicates that wait for one request, at most
     * @param waitersInAll for all of them
     */
    public record Limits(
            Duration timeout,
            Duration connect,
            Duration idle,
            Duration head,
            Duration receive,
            int bodyRate,
            Duration drain,
            UpkeepSettings upkeep,
            int headerBytes,
            int connections,
            int upstreamConnections,
            int waitersPerKey,
            int waitersInAll) {}

    /**
     * What is protected, and how.
     *
     * @param memoryForBodies in bytes; null for the usual share of the heap
     * @param probes where to ask what became of a route's requests whose answers were lost
     */
    public record Rules(
            Profile profile,
            Policy defaults,
            List<Route> routes,
            Map<Route, ProbeAddress> probes,
            boolean strict,
            boolean statusQueries,
            Set<String> corsOrigins,
            boolean corsCredentials,
            ReplayMarker replayMarker,
            int overloadedStatus,
            boolean tokens,
            Duration tokenLife,
            @Nullable Path spool,
            @Nullable Long memoryForBodies) {}
}
