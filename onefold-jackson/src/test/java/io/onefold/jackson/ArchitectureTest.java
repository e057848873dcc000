package io.onefold.jackson;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrow of this module points at payloads alone. */
@AnalyzeClasses(packages = "io.onefold", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule the_codec_knows_payloads_and_jackson_alone = classes()
            .that()
            .resideInAPackage("io.onefold.jackson..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.onefold.jackson..",
                    "io.onefold.payload",
                    "java..",
                    "org.jspecify..",
                    "tools.jackson..",
                    "com.fasterxml.jackson.annotation..");
}
