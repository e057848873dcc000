package io.onefold.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Verdict;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.Route;
import io.onefold.store.RecordFilter;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases for queries of a request's status, and for the details that the service behind the adapter gets. */
abstract class StatusQueryCases extends AdapterCases {
    private static final Pattern LINK =
            Pattern.compile("<(/\\.well-known/onefold/operations/[A-Za-z0-9_~.-]+)>; rel=\"status\"");

    StatusQueryCases(AdapterContract contract) {
        super(contract);
    }

    @Test
    void h44_h23_an_unknown_outcome_says_where_to_ask_for_it() throws Exception {
        AdapterSetup setting = openLeased(unknowing().choosing(StatusQueryCases::answering));
        RawRequest request = RawRequest.post(key()).user("alice");
        String address = unknown(setting, request);
        ReceivedResponse status = ask(RawRequest.get(address).user("alice"));
        assertThat(status.status()).as("%s", status).isEqualTo(200);
        assertThat(status.header("Content-Type")).startsWith("application/json");
        assertThat(status.member("status")).isEqualTo("unknown");
        assertThat(status.header("Cache-Control")).isEqualTo("no-store");
        executed(1);
    }

    @Test
    void h44_only_who_has_asked_is_told() throws Exception {
        AdapterSetup setting =
                openLeased(unknowing().choosing(StatusQueryCases::answering).authenticated());
        String address = unknown(setting, RawRequest.post(key()).user("alice"));
        ReceivedResponse other = ask(RawRequest.get(address).user("mallory"));
        ReceivedResponse nobody = ask(RawRequest.get(address + "x").user("alice"));
        assertThat(other.status()).as("%s", other).isEqualTo(404);
        assertThat(nobody.status()).as("%s", nobody).isEqualTo(404);
        assertThat(ask(RawRequest.get(address)).status()).isEqualTo(401);
        executed(1);
    }

    @Test
    void h44_the_address_does_not_spell_the_key() throws Exception {
        AdapterSetup setting = openLeased(unknowing().choosing(StatusQueryCases::answering));
        String key = key();
        assertThat(unknown(setting, RawRequest.post(key))).doesNotContain(key);
    }

    @Test
    void h44_asking_changes_with_what_became_of_it() throws Exception {
        AdapterSetup setting = openLeased(AdapterSetup.plain()
                .choosing(StatusQueryCases::answering)
                .policy(policy -> policy.waitFor(Duration.ZERO)));
        RawRequest request = RawRequest.post(key());
        CompletableFuture<ReceivedResponse> first = beginHeld(request);
        openAfterLeased(setting);
        setting.kitStore().pass(Duration.ofHours(1));
        String address = address(ask(request).problem(409, "outcome-unknown"));
        assertThat(ask(RawRequest.get(address)).member("status")).isEqualTo("unknown");
        business.release();
        first.get().first(201);
        assertThat(ask(RawRequest.get(address)).member("status")).isEqualTo("success");
    }

    @Test
    void h44_h23_what_a_person_settles_is_told() throws Exception {
        AdapterSetup setting = openLeased(unknowing().choosing(StatusQueryCases::answering));
        RawRequest request = RawRequest.post(key());
        RawRequest status = RawRequest.get(unknown(setting, request));
        settle(setting, Verdict.canNoLongerHappen());
        assertThat(ask(status).member("status")).isEqualTo("free");
        CompletableFuture<ReceivedResponse> next = beginHeld(request);
        assertThat(ask(status).member("status")).isEqualTo(joins() ? "free" : "processing");
        business.release();
        next.get().first(500);
        assertThat(ask(status).member("status")).isEqualTo(joins() ? "success" : "unknown");
        executed(2);
    }

    @Test
    void h44_h23_a_failure_that_a_person_settles_is_told_and_why_is_not() throws Exception {
        AdapterSetup setting = openLeased(unknowing().choosing(StatusQueryCases::answering));
        RawRequest request = RawRequest.post(key());
        RawRequest status = RawRequest.get(unknown(setting, request));
        settle(setting, Verdict.failed("CardException", "the card of A. Person was refused"));
        assertThat(ask(status).member("status")).isEqualTo("failed");
        ReceivedResponse failed = ask(request).problem(409, "operation-failed");
        assertThat(failed.member("retryable")).isEqualTo("false");
        // nothing that a random id may have by chance
        assertThat(failed.toString()).doesNotContain("Person", "refused", "CardException");
        executed(1);
    }

    @Test
    void h44_nothing_is_told_unless_that_was_chosen() throws Exception {
        AdapterSetup setting = openLeased(unknowing());
        RawRequest request = RawRequest.post(key());
        ask(request).first(500);
        openAfterLeased(setting);
        assertThat(ask(request).problem(409, "outcome-unknown").has("Link")).isFalse();
        ask(RawRequest.get("/.well-known/onefold")).first(500);
        executed(2);
    }

    @Test
    void h44_a_broken_address_is_not_found() throws Exception {
        open(AdapterSetup.plain().choosing(StatusQueryCases::answering));
        for (String name : new String[] {"x", "AAAA", "Ojo6", "MTo", "..%20", "9999999999"}) {
            ReceivedResponse answer = ask(RawRequest.get("/.well-known/onefold/operations/" + name));
            assertThat(answer.status()).as("%s: %s", name, answer).isIn(400, 404);
        }
        executed(0);
    }

    @Test
    void h39_h44_how_long_answers_are_kept_can_be_asked() throws Exception {
        open(AdapterSetup.plain()
                .choosing(StatusQueryCases::answering)
                .route(Route.of("POST", "/orders")
                        .named("create-order")
                        .policy(HttpPolicy.unchanged().keepFor(Duration.ofHours(6)))));
        ReceivedResponse answer = ask(RawRequest.get("/.well-known/onefold"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.member("operation")).isEqualTo("create-order");
        assertThat(answer.member("keep-seconds")).isEqualTo("21600");
        executed(0);
    }

    @Test
    void h45_the_key_is_told_to_those_behind() throws Exception {
        open();
        String key = key();
        ask(RawRequest.post("\"" + key + "\"")).first(201);
        assertThat(told(0)).isIn(key, "\"" + key + "\"");
    }

    @Test
    void h45_a_derived_key_may_be_told_instead() throws Exception {
        open(AdapterSetup.plain()
                .policy(policy ->
                        policy.forward(HttpPolicy.KeyForwarding.DERIVED).on5xx(HttpPolicy.On5xx.RETRY)));
        business.does((call, number) -> number == 1 ? ServiceResponse.of(500).thrown() : ServiceResponse.of(200));
        String key = key();
        ask(RawRequest.post(key)).first(500);
        ask(RawRequest.post(key)).first(200);
        ask(RawRequest.post(key())).first(200);
        assertThat(told(0)).isNotNull().isNotEqualTo(key);
        assertThat(told(1)).as("of each try").isEqualTo(told(0));
        assertThat(told(2)).as("of another request").isNotNull().isNotEqualTo(told(0));
    }

    @Test
    void h45_the_key_may_be_told_to_nobody() throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.forward(HttpPolicy.KeyForwarding.STRIP)));
        runsOnce(RawRequest.post(key()));
        assertThat(told(0)).isNull();
    }

    @ParameterizedTest
    @EnumSource(HttpPolicy.KeyForwarding.class)
    void h45_s16_no_name_that_reads_alike_tells_another_key(HttpPolicy.KeyForwarding forward) throws Exception {
        open(AdapterSetup.plain().policy(policy -> policy.forward(forward)));
        ask(RawRequest.post(key()).with("Idempotency_Key", "another")).first(201);
        assertThat(business.calls().get(0).header("Idempotency_Key")).isNull();
        assertThat(told(0)).isNotEqualTo("another");
    }

    private @org.jspecify.annotations.Nullable String told(int execution) {
        return business.calls().get(execution).header("Idempotency-Key");
    }

    private String unknown(AdapterSetup setting, RawRequest request) throws Exception {
        ask(request).first(500);
        openAfterLeased(setting);
        return address(ask(request).problem(409, "outcome-unknown").comeBack());
    }

    /** Settles the only request with an unknown outcome, as a person does after looking into it. */
    private static void settle(AdapterSetup setting, Verdict<String> verdict) {
        StoredRecord record = setting.store()
                .list(RecordFilter.of(Status.UNKNOWN), null, 2)
                .records()
                .get(0);
        Operation<String> operation = Operation.of(record.id().operation(), String.class);
        assertThat(Onefold.on(setting.store()).settle(operation, record, verdict, true))
                .isTrue();
    }

    private static HttpContract.Builder answering(HttpContract.Builder builder) {
        return builder.statusQueries(true);
    }

    private static String address(ReceivedResponse unknown) {
        Matcher link = LINK.matcher(Objects.requireNonNullElse(unknown.header("Link"), ""));
        assertThat(link.matches()).as("Link of %s", unknown).isTrue();
        return link.group(1);
    }

    private AdapterSetup unknowing() {
        business.does((call, number) -> ServiceResponse.of(500));
        return AdapterSetup.plain().policy(policy -> policy.on5xx(HttpPolicy.On5xx.UNKNOWN));
    }
}
