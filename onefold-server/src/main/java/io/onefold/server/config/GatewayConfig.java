package io.onefold.server.config;

import io.onefold.http.Policy;
import io.onefold.http.Profile;
import io.onefold.http.ReplayMarker;
import io.onefold.http.Route;
import io.onefold.payload.FingerprintKeys;
import io.onefold.payload.Results;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
     * @param proxies those in front that are believed
     * @param authorize asked before an earlier answer is given; null for nobody
     */
    public record Who(
            PrincipalRule principal,
            boolean chosen,
            Networks proxies,
            @Nullable Jwt jwt,
            @Nullable URI authorize) {}

    /**
     * Whose tokens are taken.
     *
     * @param keys a file, or an address that begins with http
     * @param where the keys are said
     */
    public record Jwt(
            String keys,
            String where,
            @Nullable String issuer,
            @Nullable String audience) {}

    /**
     * How long and how much.
     *
     * @param timeout how long the service may be silent
     * @param receive how long a client may take to send a body
     * @param drain how long requests under way may take to end after the signal to stop
     * @param reconcile how often lost requests are looked for, and how long after its first probe one is probed again
     * @param upstreamConnections to the service, at most
     */
    public record Limits(
            Duration timeout,
            Duration connect,
            Duration idle,
            Duration receive,
            Duration drain,
            Duration reconcile,
            int headerBytes,
            int connections,
            int upstreamConnections) {}

    /**
     * What is protected, and how.
     *
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
            @Nullable Path spool) {}
}
