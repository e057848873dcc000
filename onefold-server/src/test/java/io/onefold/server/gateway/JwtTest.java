package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.onefold.server.gateway.Service.Behaviour;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.EdECPublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JwtTest {
    private static RSAKey rsa;
    private static RSAKey foreign;
    private static ECKey ec;

    @TempDir
    Path directory;

    private JwtVerifier jwts;

    @BeforeAll
    static void generate() throws Exception {
        rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
        foreign = new RSAKeyGenerator(2048).keyID("rsa").generate();
        ec = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
    }

    @BeforeEach
    void keys() throws Exception {
        jwts = new JwtVerifier(JwtKeys.at(file(rsa, ec)), List.of("sub"), "https://issuer.example", "shop");
    }

    private String file(JWK... keys) throws Exception {
        Path file = directory.resolve("keys.json");
        Files.writeString(file, new JWKSet(List.of(keys)).toPublicJWKSet().toString());
        return file.toString();
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .subject("alice")
                .issuer("https://issuer.example")
                .audience("shop")
                .expirationTime(in(300));
    }

    private static Date in(long seconds) {
        return Date.from(Instant.now().plusSeconds(seconds));
    }

    private static String signed(JWSAlgorithm algorithm, String id, JWSSigner signer, JWTClaimsSet claims)
            throws Exception {
        SignedJWT jwt = new SignedJWT(new JWSHeader.Builder(algorithm).keyID(id).build(), claims);
        jwt.sign(signer);
        return jwt.serialize();
    }

    private static String rs256(RSAKey key, JWTClaimsSet claims) throws Exception {
        return signed(JWSAlgorithm.RS256, "rsa", new RSASSASigner(key), claims);
    }

    private static @Nullable String who(JwtVerifier jwts, String token) {
        JWTClaimsSet said = jwts.believed(token);
        return said == null ? null : JwtVerifier.text(said, "sub");
    }

    private @Nullable String principal(JWTClaimsSet.Builder claims) throws Exception {
        return who(jwts, rs256(rsa, claims.build()));
    }

    @Test
    void a_token_that_is_right_says_who_asks() throws Exception {
        JWTClaimsSet claims = claims().build();
        assertThat(who(jwts, rs256(rsa, claims))).isEqualTo("alice");
        assertThat(who(jwts, signed(JWSAlgorithm.PS512, "rsa", new RSASSASigner(rsa), claims)))
                .isEqualTo("alice");
        assertThat(who(jwts, signed(JWSAlgorithm.ES256, "ec", new ECDSASigner(ec), claims)))
                .isEqualTo("alice");
    }

    private static String edwards(KeyPair pair, String head) throws Exception {
        String input = head + "." + Base64URL.encode(claims().build().toString());
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(pair.getPrivate());
        signature.update(input.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        return input + "." + Base64URL.encode(signature.sign());
    }

    @Test
    void a_token_of_an_edwards_curve_is_verified_as_well() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        byte[] big = ((EdECPublicKey) pair.getPublic()).getPoint().getY().toByteArray();
        byte[] little = new byte[32];
        for (int i = 0; i < 32 && i < big.length; i++) {
            little[i] = big[big.length - 1 - i];
        }
        if (((EdECPublicKey) pair.getPublic()).getPoint().isXOdd()) {
            little[31] |= (byte) 0x80;
        }
        OctetKeyPair key = new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(little))
                .keyID("ed")
                .build();
        jwts = new JwtVerifier(JwtKeys.at(file(key)), List.of("sub"), null, null);
        String head = Base64URL.encode("{\"alg\":\"EdDSA\",\"kid\":\"ed\"}").toString();
        String token = edwards(pair, head);
        String critical = Base64URL.encode("{\"alg\":\"EdDSA\",\"kid\":\"ed\",\"crit\":[\"x\"],\"x\":1}")
                .toString();
        assertThat(who(jwts, edwards(pair, critical)))
                .as("what must be understood, and is not")
                .isNull();
        assertThat(who(jwts, token)).isEqualTo("alice");
        String other =
                head + "." + Base64URL.encode(claims().subject("bob").build().toString());
        assertThat(who(jwts, other + token.substring(token.lastIndexOf('.')))).isNull();
    }

    @Test
    void a_token_is_believed_for_a_minute_more_and_no_longer() throws Exception {
        assertThat(principal(claims().expirationTime(in(-30)))).isEqualTo("alice");
        assertThat(principal(claims().expirationTime(in(-90)))).isNull();
        assertThat(principal(claims().expirationTime(null)))
                .as("without an end")
                .isNull();
        assertThat(principal(claims().notBeforeTime(in(30)))).isEqualTo("alice");
        assertThat(principal(claims().notBeforeTime(in(90)))).isNull();
    }

    @Test
    void a_token_of_another_issuer_for_another_audience_or_about_nobody_is_not_believed() throws Exception {
        assertThat(principal(claims().issuer("https://evil.example"))).isNull();
        assertThat(principal(claims().audience("bank"))).isNull();
        assertThat(principal(claims().subject(null))).isNull();
        assertThat(principal(claims().subject(" "))).isNull();
        assertThat(principal(claims().claim("sub", List.of("alice")))).isNull();
    }

    @Test
    void a_signature_that_is_foreign_shared_changed_or_missing_is_not_believed() throws Exception {
        JWTClaimsSet claims = claims().build();
        String right = rs256(rsa, claims);
        assertThat(who(jwts, rs256(foreign, claims))).isNull();
        assertThat(who(jwts, new PlainJWT(claims).serialize())).isNull();
        assertThat(who(jwts, right.substring(0, right.lastIndexOf('.') + 1))).isNull();
        String[] parts = right.split("\\.", -1);
        String bob =
                Base64URL.encode(claims().subject("bob").build().toString()).toString();
        assertThat(who(jwts, parts[0] + "." + bob + "." + parts[2])).isNull();
        // the public key, which everybody knows, taken for a shared secret
        byte[] known = rsa.toPublicJWK().toJSONString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        assertThat(who(jwts, signed(JWSAlgorithm.HS256, "rsa", new MACSigner(known), claims)))
                .isNull();
        for (String garbage : List.of("", "a", "a.b.c", "..", right + ".x", "\u0000")) {
            assertThat(who(jwts, garbage)).isNull();
        }
    }

    @Test
    void a_key_that_is_new_is_fetched_once_and_unknown_ones_not_again_and_again() throws Exception {
        Service keys = Service.start();
        try (keys) {
            String old = new JWKSet(List.of((JWK) ec)).toPublicJWKSet().toString();
            String both = new JWKSet(List.of((JWK) rsa, ec)).toPublicJWKSet().toString();
            keys.does(Behaviour.answers(200, old, "Content-Type: application/json"));
            JwtVerifier fetched = new JwtVerifier(JwtKeys.at(keys.address() + "/jwks"), List.of("sub"), null, null);
            assertThat(who(fetched, signed(JWSAlgorithm.ES256, "ec", new ECDSASigner(ec), claims().build())))
                    .isEqualTo("alice");
            keys.does(Behaviour.answers(200, both, "Content-Type: application/json"));
            assertThat(who(fetched, rs256(rsa, claims().build()))).isEqualTo("alice");
            int fetches = keys.seen().size();
            for (int i = 0; i < 20; i++) {
                assertThat(who(
                                fetched,
                                signed(JWSAlgorithm.RS256, "new-" + i, new RSASSASigner(foreign), claims().build())))
                        .isNull();
            }
            assertThat(keys.seen().size()).isLessThanOrEqualTo(fetches + 1);
            assertThat(who(fetched, rs256(rsa, claims().build()))).isEqualTo("alice");
        }
    }

    @Test
    void keys_that_do_not_come_hold_up_nobody_but_those_who_need_them() throws Exception {
        try (Service keys = Service.start()) {
            keys.does(Behaviour.answers(
                    200, new JWKSet(List.of((JWK) rsa)).toPublicJWKSet().toString()));
            String yaml = "{principal: 'jwt:sub', jwks: '" + keys.address() + "/jwks'}";
            try (Rig rig = Rig.with(directory, yaml)) {
                String alice = "Authorization: Bearer " + rs256(rsa, claims().build());
                assertThat(rig.client.post("/orders", "k", "{}", alice).status())
                        .isEqualTo(201);
                keys.does(Behaviour.hangs());
                String unknown = "Authorization: Bearer "
                        + signed(JWSAlgorithm.ES256, "new", new ECDSASigner(ec), claims().build());
                List<CompletableFuture<Message>> strangers = new ArrayList<>();
                // more than there are threads for the network
                for (int i = 0; i < 16 + Runtime.getRuntime().availableProcessors(); i++) {
                    strangers.add(rig.client.postAsync("/orders", "s-" + i, "{}", unknown));
                }
                Rig.await("the keys are asked for", () -> keys.seen().size() == 2);
                assertThat(rig.client.post("/orders", "k2", "{}", alice).status())
                        .isEqualTo(201);
                assertThat(rig.client.get("/things", unknown).status())
                        .as("without a key nobody is asked who it is")
                        .isEqualTo(201);
                assertThat(strangers).as("still waiting for keys").anyMatch(one -> !one.isDone());
                assertThat(strangers)
                        .allSatisfy(one -> assertThat(one.join().status()).isIn(401, 503));
            }
        }
    }

    @Test
    void users_of_one_name_whom_two_issuers_vouch_for_are_two() throws Exception {
        String keys = "{principal: 'jwt:sub', jwks: '" + file(rsa) + "'";
        String a = "Authorization: Bearer "
                + rs256(rsa, claims().issuer("https://a.example").build());
        String b = "Authorization: Bearer "
                + rs256(rsa, claims().issuer("https://b.example").build());
        try (Rig rig = Rig.with(directory, keys + "}")) {
            assertThat(rig.client.post("/orders", "k", "{}", a).text()).isEqualTo("{\"number\":1}");
            assertThat(rig.client.post("/orders", "k", "{}", b).text()).isEqualTo("{\"number\":2}");
            assertThat(rig.client.post("/orders", "k", "{}", a).text()).isEqualTo("{\"number\":1}");
        }
        // an issuer that has moved, under an alias that has not
        try (Service service = Service.start()) {
            try (Rig rig = Rig.with(service, directory, keys + ", issuer: 'https://a.example', issuer-alias: main}")) {
                assertThat(rig.client.post("/orders", "m", "{}", a).text()).isEqualTo("{\"number\":1}");
            }
        }
        try (Rig rig = Rig.with(directory, keys + ", issuer: 'https://b.example', issuer-alias: main}")) {
            assertThat(rig.client.post("/orders", "m", "{}", a).status()).isEqualTo(401);
            Message moved = rig.client.post("/orders", "m", "{}", b);
            assertThat(moved.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(rig.service.seen()).isEmpty();
        }
    }

    @Test
    void a_gateway_tells_callers_apart_by_their_tokens() throws Exception {
        String yaml = "{principal: 'jwt:sub', jwks: '" + file(rsa) + "', audience: shop}";
        try (Rig rig = Rig.with(directory, yaml)) {
            String alice = "Authorization: Bearer " + rs256(rsa, claims().build());
            String bob = "authorization: bearer "
                    + rs256(rsa, claims().subject("bob").build());
            String late = "Authorization: Bearer "
                    + rs256(rsa, claims().expirationTime(in(-600)).build());
            assertThat(rig.client.post("/orders", "k", "{}", alice).text()).isEqualTo("{\"number\":1}");
            assertThat(rig.client.post("/orders", "k", "{}", bob).text()).isEqualTo("{\"number\":2}");
            assertThat(rig.client.post("/orders", "k", "{}", alice).text()).isEqualTo("{\"number\":1}");
            for (String nobody : List.of(late, "Authorization: Basic YTpi", "X: y")) {
                assertThat(rig.client.post("/orders", "k", "{}", nobody).status())
                        .isEqualTo(401);
            }
            assertThat(rig.client.post("/orders", "k", "{}", alice, bob).status())
                    .isEqualTo(401);
            assertThat(rig.service.seen()).hasSize(2);
        }
    }

    @Test
    void a_tenant_is_taken_from_the_token_that_is_believed_and_from_no_other() throws Exception {
        String yaml = "{principal: 'jwt:sub', tenant: 'jwt:org', jwks: '" + file(rsa) + "'}";
        try (Rig rig = Rig.with(directory, yaml)) {
            String north = "Authorization: Bearer "
                    + rs256(rsa, claims().claim("org", "north").build());
            String south = "Authorization: Bearer "
                    + rs256(rsa, claims().claim("org", "south").build());
            assertThat(rig.client.post("/orders", "k", "{}", north).text()).isEqualTo("{\"number\":1}");
            assertThat(rig.client.post("/orders", "k", "{}", south).text()).isEqualTo("{\"number\":2}");
            assertThat(rig.client.post("/orders", "k", "{}", north).text()).isEqualTo("{\"number\":1}");
            for (Object odd : new Object[] {null, " ", 7, List.of("north")}) {
                String token = rs256(rsa, claims().claim("org", odd).build());
                assertThat(rig.client
                                .post("/orders", "k", "{}", "Authorization: Bearer " + token)
                                .status())
                        .as("tenant " + odd)
                        .isEqualTo(401);
            }
            String forged = rs256(foreign, claims().claim("org", "north").build());
            assertThat(rig.client
                            .post("/orders", "k", "{}", "Authorization: Bearer " + forged)
                            .status())
                    .isEqualTo(401);
            assertThat(rig.service.seen()).hasSize(2);
        }
    }

    @Test
    void a_proxy_may_say_the_tenant_and_a_token_who_asks() throws Exception {
        String yaml = "{principal: 'jwt:sub', tenant: 'header:X-Tenant', trusted-proxies: 127.0.0.1, jwks: '"
                + file(rsa) + "'}";
        try (Rig rig = Rig.with(directory, yaml)) {
            String alice = "Authorization: Bearer " + rs256(rsa, claims().build());
            assertThat(rig.client
                            .post("/orders", "k", "{}", alice, "X-Tenant: north")
                            .text())
                    .isEqualTo("{\"number\":1}");
            assertThat(rig.client
                            .post("/orders", "k", "{}", alice, "X-Tenant: south")
                            .text())
                    .isEqualTo("{\"number\":2}");
            assertThat(rig.client.post("/orders", "k", "{}", alice).status()).isEqualTo(401);
            assertThat(rig.client.post("/orders", "k", "{}", "X-Tenant: north").status())
                    .isEqualTo(401);
        }
    }
}
