package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Compiled for Spring Boot 4 and what comes with it: what is called must be in what was before as well, in every path. */
class LinkTest {
    /** Those that stand back here. */
    private static final Set<String> OF_BOOT_4 = Set.of(
            "io.onefold.spring.boot.ChildKeyAutoConfiguration",
            "io.onefold.spring.boot.ChildKeyAutoConfiguration$RestClientKeys",
            "io.onefold.spring.boot.ChildKeyAutoConfiguration$WebClientKeys",
            "io.onefold.spring.boot.DataRedisConfiguration",
            "io.onefold.spring.boot.StoreHealthAutoConfiguration",
            "io.onefold.spring.boot.StoreHealthIndicator");

    private static final List<String> FOREIGN = List.of("org.springframework.", "jakarta.servlet.", "io.lettuce.");

    @Test
    void all_that_is_called_is_there() {
        Set<String> missing = new TreeSet<>();
        int calls = 0;
        for (JavaClass caller : new ClassFileImporter()
                .withImportOption(place -> !place.contains("test-classes") && !place.contains("-tests.jar"))
                .importPackages("io.onefold.spring", "io.onefold.http.servlet", "io.onefold.redis")) {
            if (OF_BOOT_4.contains(caller.getName())) {
                continue;
            }
            for (JavaCodeUnitAccess<?> call : caller.getCodeUnitAccessesFromSelf()) {
                if (isForeign(call.getTargetOwner())) {
                    calls++;
                    if (call.getTarget().resolveMember().isEmpty()) {
                        missing.add(call.getDescription());
                    }
                }
            }
            for (JavaFieldAccess access : caller.getFieldAccessesFromSelf()) {
                if (isForeign(access.getTargetOwner())
                        && access.getTarget().resolveMember().isEmpty()) {
                    missing.add(access.getDescription());
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(calls).isGreaterThan(500);
    }

    private static boolean isForeign(JavaClass owner) {
        return FOREIGN.stream().anyMatch(owner.getName()::startsWith);
    }
}
