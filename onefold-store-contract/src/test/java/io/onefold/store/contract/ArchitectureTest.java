package io.onefold.store.contract;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;

/** The arrows of the kit point at core, and its two halves do not know each other. */
@AnalyzeClasses(packages = "io.onefold", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] COMMON = {
        "io.onefold", "io.onefold.store", "io.onefold.payload", "io.onefold.upkeep", "java..", "org.jspecify.."
    };

    @ArchTest
    static final ArchRule the_contract_knows_core_and_its_test_libraries =
            knows("io.onefold.store.contract..", "org.junit..", "org.assertj..", "org.opentest4j..");

    @ArchTest
    static final ArchRule the_contract_of_codecs_knows_core_annotations_and_its_test_libraries = knows(
            "io.onefold.payload.contract..", "com.fasterxml.jackson.annotation..", "org.junit..", "org.assertj..");

    @ArchTest
    static final ArchRule the_simulator_knows_core_alone = knows("io.onefold.simulator..");

    private static ArchRule knows(String own, String... libraries) {
        return classes()
                .that()
                .resideInAPackage(own)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(Stream.of(COMMON, libraries, new String[] {own})
                        .flatMap(Stream::of)
                        .toArray(String[]::new));
    }
}
