package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.server.gateway.Service.Behaviour;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrincipalTest {
    @TempDir
    Path directory;

    @Test
    void callers_whom_a_listed_proxy_names_have_keys_of_their_own() throws Exception {
        try (Rig rig = Rig.with(directory, "{principal: 'header:X-User', trusted-proxies: 127.0.0.0/8}")) {
            Message alice = rig.client.post("/orders", "k", "{}", "X-User: alice");
            Message bob = rig.client.post("/orders", "k", "{}", "X-User: bob");
            assertThat(alice.text()).isEqualTo("{\"number\":1}");
            assertThat(bob.text()).isEqualTo("{\"number\":2}");
            assertThat(rig.client.post("/orders", "k", "{}", "X-User: alice").text())
                    .isEqualTo("{\"number\":1}");
            assertThat(rig.service.seen().get(0).header("X-User")).isEqualTo("alice");
        }
    }

    @Test
    void a_listed_proxy_is_believed_about_where_requests_come_from() throws Exception {
        try (Rig rig = Rig.with(directory, "{principal: 'header:X-User', trusted-proxies: 127.0.0.1}")) {
            rig.client.get(
                    "/", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https", "X-Forwarded-Host: a.example");
            Message seen = rig.service.seen().get(0);
            assertThat(seen.headers("X-Forwarded-For")).containsExactly("192.0.2.1, 127.0.0.1");
            assertThat(seen.headers("X-Forwarded-Proto")).containsExactly("https");
            assertThat(seen.headers("X-Forwarded-Host")).containsExactly("a.example");
        }
    }

    @Test
    void nobody_is_believed_who_is_not_listed() throws Exception {
        try (Rig rig = Rig.with(directory, "{principal: 'header:X-User', trusted-proxies: [10.0.0.0/8, 'fd00::/8']}")) {
            Message spoofed = rig.client.post("/orders", "k", "{}", "X-User: alice");
            assertThat(spoofed.status()).isEqualTo(401);
            assertThat(spoofed.problem()).isEqualTo("unauthenticated");
            assertThat(rig.service.seen()).isEmpty();
            rig.client.get("/things", "X-User: alice");
            assertThat(rig.service.seen().get(0).header("X-User"))
                    .as("the service, which trusts the gateway, does not hear it either")
                    .isEmpty();
        }
    }

    @Test
    void a_name_with_underscores_names_nobody_to_the_service_whoever_sends_it() throws Exception {
        for (String proxies : new String[] {"10.0.0.0/8", "127.0.0.1"}) {
            try (Rig rig = Rig.with(directory, "{principal: 'header:X-User', trusted-proxies: " + proxies + "}")) {
                rig.client.get("/things", "X_User: mallory");
                assertThat(rig.service.seen().get(0).header("X_User")).isEmpty();
            }
        }
        try (Rig rig = Rig.with(directory, "{principal: 'header:X_User', trusted-proxies: 127.0.0.1}")) {
            rig.client.get("/things", "X_User: alice");
            assertThat(rig.service.seen().get(0).header("X_User"))
                    .as("unless that is its name")
                    .isEqualTo("alice");
        }
    }

    @Test
    void a_proxy_that_names_nobody_or_two_names_nobody() throws Exception {
        try (Rig rig = Rig.with(directory, "{principal: 'header:X-User', trusted-proxies: 127.0.0.1}")) {
            assertThat(rig.client.post("/orders", "k", "{}").status()).isEqualTo(401);
            assertThat(rig.client.post("/orders", "k", "{}", "X-User: ").status())
                    .isEqualTo(401);
            assertThat(rig.client
                            .post("/orders", "k", "{}", "X-User: alice", "X-User: bob")
                            .status())
                    .isEqualTo(401);
            assertThat(rig.service.seen()).isEmpty();
        }
    }

    @Test
    void an_earlier_answer_is_given_only_to_who_may_still_have_it() throws Exception {
        try (Service rights = Service.start().does(Behaviour.answers(204, ""));
                Rig rig = Rig.with(directory, "authorize: " + rights.address() + "/may")) {
            String token = "Authorization: Bearer t";
            assertThat(rig.client.post("/orders?a=b", "k", "{}", token).status())
                    .isEqualTo(201);
            assertThat(rights.seen()).as("the service itself guards what runs").isEmpty();

            assertThat(rig.client.post("/orders?a=b", "k", "{}", token).status())
                    .isEqualTo(201);
            Message asked = rights.seen().get(0);
            assertThat(asked.target()).isEqualTo("/may");
            assertThat(asked.header("Authorization")).isEqualTo("Bearer t");
            assertThat(asked.header("X-Original-Method")).isEqualTo("POST");
            assertThat(asked.header("X-Original-URI")).isEqualTo("/orders?a=b");

            rights.does(Behaviour.answers(403, ""));
            Message forbidden = rig.client.post("/orders?a=b", "k", "{}", token);
            assertThat(forbidden.status()).isEqualTo(403);
            assertThat(forbidden.text()).doesNotContain("number");

            rights.does(Behaviour.answers(500, ""));
            assertThat(rig.client.post("/orders?a=b", "k", "{}", token).status())
                    .isEqualTo(503);
            rights.close();
            assertThat(rig.client.post("/orders?a=b", "k", "{}", token).status())
                    .isEqualTo(503);
            assertThat(rig.service.seen()).hasSize(1);
        }
    }

    @Test
    void tenants_whom_a_listed_proxy_names_have_keys_of_their_own() throws Exception {
        try (Rig rig = Rig.with(
                directory,
                "{principal: 'header:X-User', tenant: 'header:X-Tenant', status-queries: true, trusted-proxies: 127.0.0.1}")) {
            String[] north = {"X-User: alice", "X-Tenant: north"};
            String[] south = {"X-User: alice", "X-Tenant: south"};
            assertThat(rig.client.post("/orders", "k", "{}", north).text()).isEqualTo("{\"number\":1}");
            assertThat(rig.client.post("/orders", "k", "{}", south).text()).isEqualTo("{\"number\":2}");
            assertThat(rig.client.post("/orders", "k", "{}", north).text()).isEqualTo("{\"number\":1}");
            assertThat(rig.service.seen().get(0).header("X-Tenant")).isEqualTo("north");
            assertThat(rig.client
                            .post("/orders", "k", "{}", "X-User: bob", "X-Tenant: north")
                            .text())
                    .as("within a tenant callers are told apart as well")
                    .isEqualTo("{\"number\":3}");
        }
    }

    @Test
    void where_tenants_are_told_apart_and_callers_are_not_a_tenant_has_keys_of_its_own() throws Exception {
        try (Rig rig =
                Rig.with(directory, "{principal: anonymous, tenant: 'header:X-Tenant', trusted-proxies: 127.0.0.1}")) {
            assertThat(rig.client.post("/orders", "k", "{}", "X-Tenant: north").text())
                    .isEqualTo("{\"number\":1}");
            assertThat(rig.client.post("/orders", "k", "{}", "X-Tenant: south").text())
                    .isEqualTo("{\"number\":2}");
            assertThat(rig.client.post("/orders", "k", "{}").status()).isEqualTo(401);
        }
    }

    @Test
    void a_tenant_is_believed_under_the_rules_of_a_principal() throws Exception {
        String who = "principal: 'header:X-User', tenant: 'header:X-Tenant', trusted-proxies: ";
        try (Rig rig = Rig.with(directory, "{" + who + "127.0.0.1}")) {
            String alice = "X-User: alice";
            assertThat(rig.client.post("/orders", "k", "{}", alice).problem()).isEqualTo("unauthenticated");
            assertThat(rig.client
                            .post("/orders", "k", "{}", alice, "X-Tenant: ")
                            .status())
                    .isEqualTo(401);
            assertThat(rig.client
                            .post("/orders", "k", "{}", alice, "X-Tenant: north", "X-Tenant: south")
                            .status())
                    .isEqualTo(401);
            assertThat(rig.service.seen()).isEmpty();
            rig.client.get("/things", "X_Tenant: north");
            assertThat(rig.service.seen().get(0).header("X_Tenant"))
                    .as("services may read it as the other name")
                    .isEmpty();
        }
        try (Rig rig = Rig.with(directory, "{" + who + "10.0.0.0/8}")) {
            assertThat(rig.client
                            .post("/orders", "k", "{}", "X-User: alice", "X-Tenant: north")
                            .status())
                    .isEqualTo(401);
            rig.client.get("/things", "X-Tenant: north", "x-tenant: south");
            assertThat(rig.service.seen().get(0).header("X-Tenant"))
                    .as("the service, which trusts the gateway, does not hear it either")
                    .isEmpty();
        }
    }

    @Test
    void who_decides_about_earlier_answers_hears_of_the_tenant() throws Exception {
        try (Service rights = Service.start().does(Behaviour.answers(204, ""));
                Rig rig = Rig.with(
                        directory,
                        "{principal: 'header:X-User', tenant: 'header:X-Tenant', trusted-proxies: 127.0.0.1, authorize: '"
                                + rights.address() + "'}")) {
            for (int i = 0; i < 2; i++) {
                rig.client.post("/orders", "k", "{}", "X-User: alice", "X-Tenant: north");
            }
            assertThat(rights.seen().get(0).header("X-User")).isEqualTo("alice");
            assertThat(rights.seen().get(0).header("X-Tenant")).isEqualTo("north");
        }
    }

    @Test
    void a_connection_header_removes_nothing_that_the_service_or_a_route_goes_by() throws Exception {
        String rules = "{principal: 'header:X-User', tenant: 'header:X-Tenant', trusted-proxies: 127.0.0.1}";
        try (Rig rig = Rig.with(directory, rules)) {
            String[] named = {
                "X-User",
                "x-user",
                "close, X-Tenant",
                "keep-alive,\tx-TENANT ,",
                "Idempotency-Key",
                "Authorization",
                "If-Match",
                "Content-Type",
                "Content-Length",
                "Host",
                "Cookie",
                "X-Forwarded-For",
                "X_User",
            };
            for (String names : named) {
                try (Socket socket = rig.client.open()) {
                    Client.write(
                            socket,
                            Client.request(
                                    "POST",
                                    "/orders",
                                    "{}",
                                    "Idempotency-Key: k",
                                    "X-User: alice",
                                    "X-Tenant: north",
                                    "X_User: alice",
                                    "Authorization: Bearer t",
                                    "If-Match: a",
                                    "Cookie: a=b",
                                    "X-Forwarded-For: 192.0.2.1",
                                    "Content-Type: application/json",
                                    "Connection: " + names,
                                    "Connection: close"));
                    Message answer = Message.read(socket.getInputStream(), false);
                    assertThat(answer.status()).as(names).isEqualTo(400);
                    assertThat(answer.problem()).as(names).isEqualTo("request-invalid");
                }
            }
            assertThat(rig.client
                            .get("/things", "X-User: alice", "Connection: X-User")
                            .status())
                    .as("where no route protects, too")
                    .isEqualTo(400);
            assertThat(rig.service.seen()).isEmpty();
        }
    }

    @Test
    void a_connection_header_may_name_what_is_about_the_connection() throws Exception {
        try (Rig rig = Rig.with(directory, "{principal: 'header:X-User', trusted-proxies: 127.0.0.1}")) {
            for (String names : new String[] {"close", "keep-alive", "TE, Keep-Alive", "X-Absent", "upgrade"}) {
                Message answer = rig.client.get(
                        "/things", "X-User: alice", "Keep-Alive: timeout=5", "TE: trailers", "Connection: " + names);
                assertThat(answer.status()).as(names).isEqualTo(201);
            }
            assertThat(rig.service.seen()).hasSize(5).allSatisfy(seen -> {
                assertThat(seen.header("X-User")).isEqualTo("alice");
                assertThat(seen.header("Keep-Alive")).isEmpty();
            });
        }
    }
}
