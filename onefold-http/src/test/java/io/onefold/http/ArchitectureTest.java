package io.onefold.http;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The contract is one thing, and each door to it another. */
@AnalyzeClasses(packages = "io.onefold.http", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String CONTRACT = "io.onefold.http";
    private static final String SERVLET = "io.onefold.http.servlet";

    @ArchTest
    static final ArchRule the_contract_knows_no_servlets = noClasses()
            .that()
            .resideInAPackage(CONTRACT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(SERVLET, "jakarta..");

    @ArchTest
    static final ArchRule the_contract_uses_only_core_the_jdk_slf4j_and_jspecify = classes()
            .that()
            .resideInAPackage(CONTRACT)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    CONTRACT,
                    "io.onefold",
                    "io.onefold.payload",
                    "io.onefold.store",
                    "io.onefold.upkeep",
                    "java..",
                    "org.slf4j..",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule there_are_no_other_packages = classes().should().resideInAnyPackage(CONTRACT, SERVLET);
}
