package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.spring.Idempotent;
import io.onefold.spring.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

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
    void a_database_that_cannot_be_reached_is_told_as_such(CapturedOutput output) {
        fails(
                Nothing.class,
                "--spring.main.web-application-type=none",
                "--spring.datasource.url=jdbc:h2:mem:absent;IFEXISTS=TRUE");
        assertThat(output).contains("Onefold's store cannot be used").contains("onefold.jdbc.initialize-schema=always");
    }

    @Test
    void a_store_that_is_missing_is_told_with_what_to_add(CapturedOutput output) {
        fails(Nothing.class, "--spring.main.web-application-type=none", "--onefold.store=redis");
        assertThat(output).contains("onefold.store is REDIS").contains("Add onefold-store-redis");
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
    @Import(Paying.class)
    static class Web {}

    @RestController
    static class Paying {
        @PostMapping("/pay")
        @Idempotent(operation = "pay")
        public void pay() {}
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
        @Idempotent(operation = "join", key = "#id", mode = Mode.JOINED)
        public void join(String id) {}
    }
}
