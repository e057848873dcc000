package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.Route;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Cases for the owner of a key, and for the request that a key stands for. */
abstract class ScopeCases extends AdapterCases {
    ScopeCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void h08_b14_a_key_of_one_caller_means_nothing_to_another() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        runsBoth(request.user("alice"), request.user("bob"));
        assertThat(ask(request.user("alice")).replayed()).isTrue();
        assertThat(ask(request).first(201).text()).isEqualTo("{\"number\":3}");
    }

    @Test
    void h08_b14_a_key_of_one_tenant_means_nothing_to_another() throws Exception {
        open();
        RawRequest request = RawRequest.post(key()).user("alice");
        runsBoth(request.with(AdapterSetup.TENANT, "north"), request.with(AdapterSetup.TENANT, "south"));
    }

    @Test
    void h08_names_of_tenant_and_caller_do_not_run_into_each_other() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        runsBoth(
                request.with(AdapterSetup.TENANT, "a").user("b/c"),
                request.with(AdapterSetup.TENANT, "a/b").user("c"));
        runsBoth(
                request.with(AdapterSetup.TENANT, "a:b").user("c"),
                request.with(AdapterSetup.TENANT, "a").user("b:c"));
    }

    @Test
    void h08_a_key_means_something_else_for_another_operation() throws Exception {
        open(AdapterSetup.plain().route(Route.of("POST", "/orders")).route(Route.of("POST", "/refunds")));
        RawRequest request = RawRequest.post(key());
        runsBoth(request, request.to("/refunds"));
    }

    @Test
    void h08_routes_of_one_name_share_their_keys() throws Exception {
        open(AdapterSetup.plain()
                .route(Route.of("POST", "/orders").named("order"))
                .route(Route.of("POST", "/v2/orders").named("order")));
        RawRequest request = RawRequest.post(key());
        conflicts(request, request.to("/v2/orders"));
    }

    @Test
    void h08_without_routes_one_key_stands_for_one_path() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        ReceivedResponse answer = conflicts(request, request.to("/refunds"));
        assertThat(answer.member("fields")).isEqualTo("[\"path\"]");
    }

    @Test
    void h08_methods_of_one_route_are_different_operations() throws Exception {
        open();
        RawRequest request = RawRequest.post(key());
        runsBoth(request, request.method("PATCH"));
    }

    @Test
    void s01_nothing_tells_whether_another_has_used_a_key() throws Exception {
        open(AdapterSetup.plain().authenticated());
        RawRequest request = RawRequest.post(key());
        RawRequest other = request.json("{\"amount\":99}").user("mallory");
        CompletableFuture<ReceivedResponse> first = beginHeld(request.user("alice"));
        business.release();
        first.get().first(201);
        ask(other).first(201);
        assertThat(ask(request.user("alice")).replayed()).isTrue();
        executed(2);
    }

    @Test
    void s01_who_is_not_authenticated_is_refused_whatever_the_key() throws Exception {
        open(AdapterSetup.plain().authenticated());
        RawRequest request = RawRequest.post(key());
        ask(request.user("alice")).first(201);
        ask(request).problem(401, "unauthenticated");
        ask(RawRequest.post(key())).problem(401, "unauthenticated");
        executed(1);
    }

    @Test
    void h09_b14_another_path_under_one_route_is_another_request() throws Exception {
        open(AdapterSetup.plain().route(Route.of("POST", "/orders/{id}/capture")));
        RawRequest request = RawRequest.post(key()).to("/orders/1/capture");
        ReceivedResponse answer = conflicts(request, request.to("/orders/2/capture"));
        assertThat(answer.member("fields")).isEqualTo("[\"path\"]");
    }

    @Test
    void h09_another_query_is_another_request() throws Exception {
        open();
        RawRequest request = RawRequest.post(key()).to("/orders?express=true");
        ReceivedResponse answer = conflicts(request, request.to("/orders?express=false"));
        assertThat(answer.member("fields")).contains("query");
        ask(request.to("/orders")).problem(422, "key-reused");
    }

    @Test
    void h09_parameters_that_change_from_try_to_try_may_be_left_out() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.ignoreQuery("sentAt", "trace id")));
        String key = key();
        RawRequest request = RawRequest.post(key);
        ReceivedResponse first = ask(request.to("/orders?page=1&sentAt=1")).first(201);
        for (String query : new String[] {"?page=1&sentAt=2&sentAt=3", "?trace%20id=x&page=1", "?page=1"}) {
            ask(request.to("/orders" + query)).replays(first);
        }
        ReceivedResponse answer = ask(request.to("/orders?page=2&sentAt=1")).problem(422, "key-reused");
        assertThat(answer.member("fields")).isEqualTo("[\"query.page\"]");
        ask(request.to("/orders?page=1&sentat=1")).problem(422, "key-reused");
        executed(1);
        replays(RawRequest.post(key + "-").to("/orders?sentAt=1"), RawRequest.post(key + "-"));
    }

    @Test
    void h09_s02_another_media_type_is_another_request() throws Exception {
        open();
        RawRequest request = RawRequest.post(key()).body("text/plain", "10");
        conflicts(request, request.body("text/csv", "10"));
    }

    @Test
    void h09_the_problem_names_what_differs_and_shows_nothing_of_it() throws Exception {
        open();
        String key = key();
        // texts that the id of the problem cannot have by chance
        RawRequest request = RawRequest.post(key).json("{\"amount\":\"4711 EUR\",\"card\":{\"holder\":\"A. Person\"}}");
        ReceivedResponse answer =
                conflicts(request, request.json("{\"amount\":\"815 EUR\",\"card\":{\"holder\":\"A. Person\"}}"));
        assertThat(answer.member("fields")).isEqualTo("[\"body.amount\"]");
        assertThat(answer.toString()).doesNotContain("EUR", "Person", key);
    }

    @Test
    void h09_headers_are_compared_only_where_that_was_chosen() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.compareHeaders("X-Channel")));
        RawRequest request = RawRequest.post(key());
        replays(request.with("X-Trace", "1"), request.with("X-Trace", "2"));
        RawRequest other = RawRequest.post(key());
        conflicts(other.with("X-Channel", "web"), other.with("X-Channel", "app"));
    }
}
