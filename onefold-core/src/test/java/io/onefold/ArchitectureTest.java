package io.onefold;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.onefold.store.Payload;
import java.io.ObjectInputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;

/** The arrows between the packages of core, and what core keeps away from. */
@AnalyzeClasses(packages = "io.onefold", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "io.onefold";
    private static final String STORE = "io.onefold.store..";
    private static final String PAYLOAD = "io.onefold.payload";
    private static final String UPKEEP = "io.onefold.upkeep";

    @ArchTest
    static final ArchRule the_store_spi_knows_nothing_else_of_onefold = onlyKnows(STORE);

    @ArchTest
    static final ArchRule payload_knows_only_the_store_spi = onlyKnows(PAYLOAD, STORE);

    @ArchTest
    static final ArchRule api_and_engine_know_payload_and_the_store_spi = onlyKnows(ROOT, STORE, PAYLOAD);

    @ArchTest
    static final ArchRule upkeep_knows_all_of_core = onlyKnows(UPKEEP, ROOT, STORE, PAYLOAD);

    @ArchTest
    static final ArchRule core_has_no_other_packages =
            classes().should().resideInAnyPackage(ROOT, STORE, PAYLOAD, UPKEEP);

    @ArchTest
    static final ArchRule core_uses_only_the_jdk_slf4j_and_jspecify = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.onefold..", "java..", "javax.crypto..", "org.slf4j..", "org.jspecify..");

    @ArchTest
    static final ArchRule nothing_is_read_by_java_serialization =
            noClasses().should().dependOnClassesThat().areAssignableTo(ObjectInputStream.class);

    /** Bytes of results are no secret to who has both; those of fingerprints and seals tell a guesser how far the guess is right. */
    @ArchTest
    static final ArchRule bytes_are_compared_in_constant_time = noClasses()
            .that()
            .areNotAssignableTo(Payload.class)
            .should()
            .accessTargetWhere(calls(Arrays.class, "equals", "mismatch", "compare")
                    .or(calls(ByteBuffer.class, "equals", "mismatch", "compareTo"))
                    .as("bytes are compared up to the first that differs"));

    @ArchTest
    static final ArchRule nothing_hides_in_a_thread_local =
            noClasses().should().dependOnClassesThat().areAssignableTo(ThreadLocal.class);

    /** Those that are the system's time here: two clocks, and ids that carry the time, whose instance of the process is static. */
    @ArchTest
    static final ArchRule time_comes_in_through_the_constructor = noClasses()
            .that()
            .doNotHaveSimpleName("SystemTimer")
            .and()
            .doNotHaveSimpleName("MemoryStore")
            .and()
            .doNotHaveSimpleName("Ids")
            .should()
            .accessTargetWhere(calls(System.class, "currentTimeMillis", "nanoTime")
                    .or(calls(Instant.class, "now"))
                    .as("the system's time is read"));

    private static ArchRule onlyKnows(String part, String... others) {
        return classes()
                .that()
                .resideInAPackage(part)
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage("io.onefold..")
                        .or(resideInAnyPackage(part))
                        .or(resideInAnyPackage(others)))
                .allowEmptyShould(true);
    }

    /** Calls and method references alike. */
    private static DescribedPredicate<JavaAccess<?>> calls(Class<?> owner, String... methods) {
        Set<String> names = Set.of(methods);
        return DescribedPredicate.describe(
                owner.getSimpleName() + names,
                access -> access.getTargetOwner().isEquivalentTo(owner) && names.contains(access.getName()));
    }
}
