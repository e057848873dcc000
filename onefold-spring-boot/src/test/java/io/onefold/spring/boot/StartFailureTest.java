package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Verdict;
import io.onefold.spring.ForOperation;
import io.onefold.spring.Idempotent;
import io.onefold.spring.TransactionMode;
import io.onefold.upkeep.OutcomeProbe;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** Starts that fail, and what their users read. */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTest {
    @Test
    void keys_that_are_nobodys_are_refused_and_the_property_is_named(CapturedOutput output) {
        fails(Web.class, "--onefold.store=memory");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("the keys of pay")
                .contains("onefold.http.principal=anonymous");
    }

    @Test
    void so_are_those_of_the_old_annotation_whose_users_never_had_the_property(CapturedOutput output) {
        fails(OldWeb.class, "--onefold.store=memory");
        assertThat(output).contains("the keys of POST /old").contains("onefold.http.principal=anonymous");
    }

    @Test
    void two_methods_under_one_name_are_refused(CapturedOutput output) {
        fails(Twins.class, "--spring.main.web-application-type=none", "--onefold.store=memory");
        assertThat(output).contains("the operation \"same\" is both").contains("a name of its own");
    }

    @Test
    void joined_without_a_transaction_manager_is_refused(CapturedOutput output) {
        fails(Joins.class, "--spring.main.web-application-type=none", "--onefold.store=memory");
        assertThat(output).contains("is to be joined, but").contains("one transaction manager");
    }

    @Test
    void tokens_that_nobody_issues_are_refused_whoever_would_claim(CapturedOutput output) {
        for (Class<?> application : List.of(TokenFiltered.class, TokenClaimed.class)) {
            fails(application, "--onefold.store=memory", "--onefold.http.principal=anonymous");
            assertThat(output)
                    .containsPattern("Description:\\s+" + application.getSimpleName()
                            + "\\.pay wants tokens, but there are none")
                    .contains("Set onefold.tokens.enabled=true");
        }
    }

    @Test
    void tokens_that_live_longer_than_records_and_tokens_of_those_who_get_none_are_refused(CapturedOutput output) {
        fails(
                TokenClaimed.class,
                "--onefold.http.principal=anonymous",
                "--onefold.tokens.enabled=true",
                "--onefold.tokens.life=1h",
                "--onefold.operations.claimed.keep=30m");
        assertThat(output)
                .contains("TokenClaimed.pay keeps its records for PT30M, but tokens live PT1H: a token could run twice")
                .contains("onefold.tokens.life");
        fails(
                TokenJob.class,
                "--spring.main.web-application-type=none",
                "--onefold.tokens.enabled=true",
                "--onefold.http.principal=anonymous");
        assertThat(output).contains("TokenJob.run wants tokens, but is no handler of requests");
    }

    /** The filter could have kept its response, but does not know what its probe knows. */
    @Test
    void a_handler_with_a_probe_that_cannot_keep_what_it_returns_is_refused(CapturedOutput output) {
        fails(Probed.class, "--onefold.store=memory", "--onefold.http.principal=anonymous");
        assertThat(output).contains("Rendering.render returns a DeferredResult<String>, which cannot be kept");
    }

    @Test
    void a_database_that_cannot_be_reached_is_told_as_such(CapturedOutput output) {
        fails(
                Nothing.class,
                "--spring.main.web-application-type=none",
                "--spring.datasource.url=jdbc:h2:mem:absent;IFEXISTS=TRUE");
        assertThat(output).contains("Onefold's store cannot be used").contains("onefold.jdbc.initialize-schema=always");
    }

    @Test
    void a_source_that_depends_on_the_thread_is_told_with_the_way_out(CapturedOutput output) {
        fails(Routed.class, "--spring.main.web-application-type=none");
        assertThat(output)
                .contains("Routed$ByTenant chooses the database by the thread that asks")
                .contains("Define a bean of type JdbcStore on the DataSource of one database");
    }

    @Test
    void a_store_that_is_missing_is_told_with_what_to_add(CapturedOutput output) {
        fails(Nothing.class, "--spring.main.web-application-type=none", "--onefold.store=redis");
        assertThat(output).contains("onefold.store is REDIS").contains("Add onefold-store-redis");
    }

    @Test
    void settings_and_probes_for_nothing_are_told_with_what_to_do(CapturedOutput output) {
        fails(Probing.class, "--spring.main.web-application-type=none", "--onefold.store=memory");
        assertThat(output)
                .contains("the probe lonely is for the operation")
                .contains("Action:")
                .contains("@ForOperation");
        fails(Nothing.class, "--onefold.store=memory", "--onefold.operations.absent.keep=1h");
        assertThat(output)
                .contains("onefold.operations.absent is for an operation")
                .contains("Correct or remove it");
        fails(
                Web.class,
                "--onefold.store=memory",
                "--onefold.http.principal=anonymous",
                "--onefold.http.routes[0].path=/other",
                "--onefold.http.routes[0].operation=pay");
        assertThat(output).contains("Give the route another operation");
        fails(
                Web.class,
                "--spring.main.web-application-type=reactive",
                "--onefold.store=memory",
                "--onefold.http.principal=anonymous",
                "--onefold.http.enabled=false");
        assertThat(output).contains("Let it return a Mono");
        fails(Sealed.class, "--spring.main.web-application-type=none", "--onefold.store=memory");
        assertThat(output)
                .contains("Sealing.seal cannot be made safe to repeat")
                .contains("neither final, private");
    }

    @Test
    void values_that_cannot_be_are_refused_by_the_names_of_their_properties(CapturedOutput output) {
        for (String wrong : List.of(
                "redis.connections=3",
                "redis.closed-after-loss=-1s",
                "redis.timeout=0s",
                "jdbc.timeout=1ms",
                "jdbc.table-name=no table",
                "upkeep.sweep-batch=0",
                "upkeep.reconcile-every=0s",
                "upkeep.reconcile-batch=0",
                "upkeep.sweep-every=0s",
                "upkeep.lease=0s",
                "upkeep.probe-timeout=0s",
                "upkeep.probe-threads=0",
                "upkeep.probes-per-round=0",
                "upkeep.probe-pause=0s",
                "upkeep.stuck-after=0s",
                "tokens.life=0s")) {
            fails(Nothing.class, "--spring.main.web-application-type=none", "--onefold." + wrong);
            String name = "onefold." + wrong.substring(0, wrong.indexOf('='));
            assertThat(output).containsPattern(name + "(:| must be) ");
        }
    }

    @Test
    void so_are_those_of_operations_and_routes(CapturedOutput output) {
        for (String wrong : List.of(
                "defaults.keep=0s",
                "defaults.wait-for=-1s",
                "defaults.lease=0s",
                "operations.pay.max-run=0s",
                "operations.pay.refuse-late=-1s",
                "operations.pay.max-attempts=0",
                "operations.pay.max-result-bytes=-1")) {
            fails(Nothing.class, "--spring.main.web-application-type=none", "--onefold." + wrong);
            String name = wrong.substring(0, wrong.indexOf('='));
            int dot = name.lastIndexOf('.');
            assertThat(output)
                    .contains("'onefold." + name.substring(0, dot) + "'")
                    .contains(name.substring(dot + 1) + " must be at least");
        }
        fails(Web.class, "--onefold.http.routes[0].path=/x", "--onefold.http.routes[0].content-window=0s");
        assertThat(output).contains("'onefold.http.routes[0]'").contains("content-window must be at least");
        fails(
                Web.class,
                "--onefold.store=memory",
                "--onefold.http.routes[0].path=/x",
                "--onefold.http.routes[0].key=cookie:id");
        assertThat(output)
                .contains("the route /x cannot be: \"cookie:id\" is no source of keys")
                .contains("Correct what it says, or remove it.");
    }

    @Test
    void settings_that_contradict_each_other_are_told_with_where_they_stand(CapturedOutput output) {
        fails(
                Web.class,
                "--onefold.store=memory",
                "--onefold.http.principal=anonymous",
                "--onefold.operations.pay.lease=1h");
        fails(
                Calling.class,
                "--spring.main.web-application-type=none",
                "--onefold.store=memory",
                "--onefold.operations.call.lease=1h");
        assertThat(output)
                .containsPattern("Description:\\s+operation pay: lease PT1H is longer than maxRun PT10M")
                .containsPattern("Description:\\s+operation call: lease PT1H is longer than maxRun PT10M")
                .contains("or what is configured under onefold.operations.<name>");
    }

    @Test
    void another_generation_of_spring_boot_is_refused_and_the_right_starter_is_named() {
        assertThatCode(() -> WrongBootException.unlessFits("4.1.0", false)).doesNotThrowAnyException();
        assertThatCode(() -> WrongBootException.unlessFits("3.5.16", true)).doesNotThrowAnyException();
        assertThatCode(() -> WrongBootException.unlessFits(null, false)).doesNotThrowAnyException();
        refuses(
                "3.5.16",
                false,
                "onefold-spring-boot is for Spring Boot 4, and this",
                "Use onefold-spring-boot3-starter");
        refuses(
                "4.1.0",
                true,
                "onefold-spring-boot3 is for Spring Boot 3.5, and this",
                "Use onefold-spring-boot-starter");
        refuses("3.4.1", true, "onefold-spring-boot3 is for Spring Boot 3.5, and this", "Use Spring Boot 4 with");
    }

    private static void refuses(String version, boolean three, String message, String remedy) {
        assertThatThrownBy(() -> WrongBootException.unlessFits(version, three))
                .isInstanceOfSatisfying(
                        WrongBootException.class,
                        wrong -> assertThat(wrong.remedy()).startsWith(remedy))
                .hasMessageStartingWith(message)
                .hasMessageEndingWith(" is Spring Boot " + version + ".");
    }

    private static void fails(Class<?> application, String... more) {
        String[] arguments = new String[more.length + 4];
        arguments[0] = "--server.port=0";
        arguments[1] = "--spring.main.banner-mode=off";
        arguments[2] = "--spring.datasource.generate-unique-name=true";
        arguments[3] = Running.WITHOUT_JETTY;
        System.arraycopy(more, 0, arguments, 4, more.length);
        assertThatThrownBy(() -> new SpringApplication(application).run(arguments))
                .isInstanceOf(RuntimeException.class);
    }

    @Application
    static class Nothing {}

    @Application
    static class Routed {
        @Bean
        DataSource tenants() {
            ByTenant tenants = new ByTenant();
            tenants.setTargetDataSources(Map.of());
            tenants.afterPropertiesSet();
            return new LazyConnectionDataSourceProxy(tenants);
        }

        static class ByTenant extends AbstractRoutingDataSource {
            @Override
            protected @Nullable Object determineCurrentLookupKey() {
                return null;
            }
        }
    }

    @Application
    static class Probing {
        @Bean
        OutcomeProbe<String> lonely() {
            return stuck -> Verdict.unknown();
        }
    }

    @Application
    @Import(Sealing.class)
    static class Sealed {}

    static class Sealing {
        @Idempotent(operation = "seal", key = "#id")
        public final void seal(String id) {}
    }

    @Application
    @Import(Paying.class)
    static class Web {}

    @RestController
    static class Paying {
        @PostMapping("/pay")
        @Idempotent(operation = "pay")
        public void pay() {}
    }

    @Application
    @RestController
    static class TokenFiltered {
        @PostMapping("/filtered")
        @Idempotent(operation = "filtered", token = true)
        public void pay() {}
    }

    @Application
    @RestController
    static class TokenClaimed {
        @PostMapping("/claimed")
        @Idempotent(operation = "claimed", token = true, matching = "'all'")
        public void pay() {}
    }

    @Application
    static class TokenJob {
        @Scheduled(cron = "0 0 3 * * *")
        @Idempotent(operation = "job", token = true)
        public void run() {}
    }

    @Application
    @Import(Calls.class)
    static class Calling {}

    static class Calls {
        @Idempotent(operation = "call", key = "#id")
        public void call(String id) {}
    }

    @Application
    @Import(OldPaying.class)
    static class OldWeb {}

    @RestController
    static class OldPaying {
        @PostMapping("/old")
        @io.onefold.spring.legacy.Idempotent
        public void pay() {}
    }

    @Application
    @Import(Rendering.class)
    static class Probed {
        @Bean
        @ForOperation("render")
        OutcomeProbe<String> probe() {
            return stuck -> Verdict.unknown();
        }
    }

    @RestController
    static class Rendering {
        @PostMapping("/render")
        @Idempotent(operation = "render")
        public DeferredResult<String> render() {
            return new DeferredResult<>();
        }
    }

    @Application
    @Import({Twin.class})
    static class Twins {}

    static class Twin {
        @Idempotent(operation = "same", key = "#id")
        public void one(String id) {}

        @Idempotent(operation = "same", key = "#id")
        public void other(String id) {}
    }

    @Application
    @Import(Joining.class)
    static class Joins {}

    static class Joining {
        @Idempotent(operation = "join", key = "#id", mode = TransactionMode.JOINED)
        public void join(String id) {}
    }
}
