package io.onefold.spring.boot;

import io.onefold.spring.NotJoinableException;
import io.onefold.spring.SharedNameException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do about the failures that the starter knows. */
final class StartFailureAnalyzer {
    private StartFailureAnalyzer() {}

    static final class NoPrincipal extends AbstractFailureAnalyzer<NoPrincipalException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, NoPrincipalException cause) {
            return new FailureAnalysis(
                    cause.getMessage(),
                    "Add spring-boot-starter-security, or define a bean of type ServletCallers that says who asks; if all"
                            + " callers may share their keys, set onefold.http.principal=anonymous.",
                    cause);
        }
    }

    static final class MissingStore extends AbstractFailureAnalyzer<MissingStoreException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, MissingStoreException cause) {
            return new FailureAnalysis(cause.getMessage(), cause.remedy(), cause);
        }
    }

    static final class SharedName extends AbstractFailureAnalyzer<SharedNameException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, SharedNameException cause) {
            return new FailureAnalysis(
                    cause.getMessage(),
                    "Give each method a name of its own: @Idempotent(operation = \"...\"). Records are kept under it.",
                    cause);
        }
    }

    static final class NotJoinable extends AbstractFailureAnalyzer<NotJoinableException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, NotJoinableException cause) {
            return new FailureAnalysis(
                    cause.getMessage(),
                    "To join, the application needs one transaction manager on the DataSource that the records are in"
                            + " (spring-boot-starter-jdbc or -data-jpa, and onefold.store=auto or jdbc). If the effect is"
                            + " elsewhere, say mode = Mode.LEASED.",
                    cause);
        }
    }

    static final class WrongBoot extends AbstractFailureAnalyzer<WrongBootException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, WrongBootException cause) {
            return new FailureAnalysis(cause.getMessage(), cause.remedy(), cause);
        }
    }

    static final class Unreachable extends AbstractFailureAnalyzer<UnusableStoreException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, UnusableStoreException cause) {
            return new FailureAnalysis(
                    cause.getMessage(),
                    "See that the database or Redis runs and may be reached with the configured user. If a table is"
                            + " missing or of another shape, create it from the schema/ directory of onefold-store-jdbc, or set"
                            + " onefold.jdbc.initialize-schema=always to have missing tables made.",
                    cause);
        }
    }
}
