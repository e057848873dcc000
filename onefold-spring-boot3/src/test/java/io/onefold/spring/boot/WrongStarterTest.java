package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class WrongStarterTest {
    private static final String MODULE = "io/onefold/spring/boot3/Boot3StoreHealthAutoConfiguration.class";

    @Test
    void the_starter_for_spring_boot_4_is_refused_and_the_right_one_is_named(CapturedOutput output) {
        assertThatThrownBy(() -> Elsewhere.start(entry -> !Files.exists(entry.resolve(MODULE))
                        && !entry.toString().contains("onefold-spring-boot3-")))
                .rootCause()
                .hasMessageContaining("onefold-spring-boot is for Spring Boot 4, and this is Spring Boot 3.5.");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("Use onefold-spring-boot3-starter in place of onefold-spring-boot-starter");
    }
}
