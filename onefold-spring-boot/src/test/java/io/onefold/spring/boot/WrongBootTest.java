package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class WrongBootTest {
    @Test
    void the_starter_for_spring_boot_3_is_refused_before_anything_else(@TempDir Path three, CapturedOutput output)
            throws Exception {
        Path module = Files.createDirectories(three.resolve("io/onefold/spring/boot3"));
        Files.createFile(module.resolve("Boot3StoreHealthAutoConfiguration.class"));
        assertThatThrownBy(() -> Elsewhere.start(all -> true, three))
                .rootCause()
                .hasMessageContaining("for Spring Boot 3.5");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("Use onefold-spring-boot-starter in place of onefold-spring-boot3-starter");
    }
}
