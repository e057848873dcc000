package io.onefold.jdbc.mechanism;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.onefold.jdbc.mechanism", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule mechanisms_need_jdbc_and_nothing_else = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.onefold.jdbc.mechanism", "java..", "org.jspecify..");
}
