package io.onefold;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.onefold.store.ResultPayload;
import java.io.ObjectInputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** The arrows between the packages of core, and what core keeps away from. */
@AnalyzeClasses(packages = "io.onefold", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "io.onefold";
    private static final String STORE = "io.onefold.store..";
    private static final String PAYLOAD = "io.onefold.payload";
    private static final String UPKEEP = "io.onefold.upkeep";

    /** Those who compare what somebody could guess byte by byte. */
    private static final Set<String> COMPARING = Set.of(
            "Fingerprint.equals",
            "Fingerprint.endsWith",
            "FingerprintKeys.matches",
            "FingerprintKeys.differing",
            "MacSeal.open",
            "GuardedCache.answers");

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
            .areNotAssignableTo(ResultPayload.class)
            .should()
            .accessTargetWhere(calls(Arrays.class, "equals", "deepEquals", "mismatch", "compare")
                    .or(calls(Objects.class, "deepEquals"))
                    .or(calls(ByteBuffer.class, "equals", "mismatch", "compareTo"))
                    .as("bytes are compared up to the first that differs"));

    /** Whatever else they could be compared by, texts of them or a loop: these do it so. */
    @ArchTest
    static final ArchRule fingerprints_and_seals_are_compared_by_the_jdk = methods()
            .that(DescribedPredicate.describe(
                    "compare fingerprints or seals",
                    method -> COMPARING.contains(method.getOwner().getSimpleName() + '.' + method.getName())))
            .should(new ArchCondition<>("call MessageDigest.isEqual") {
                private final Set<String> compared = new HashSet<>();

                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                    boolean calls = method.getMethodCallsFromSelf().stream()
                            .anyMatch(call -> call.getTargetOwner().isEquivalentTo(MessageDigest.class)
                                    && call.getName().equals("isEqual"));
                    events.add(new SimpleConditionEvent(method, calls, method.getFullName() + " compares otherwise"));
                    compared.add(method.getOwner().getSimpleName() + '.' + method.getName());
                }

                @Override
                public void finish(ConditionEvents events) {
                    COMPARING.stream()
                            .filter(name -> !compared.contains(name))
                            .forEach(name -> events.add(SimpleConditionEvent.violated(name, name + " is no more")));
                }
            });

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
            .doNotHaveSimpleName("TimeOrderedIds")
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
