package io.onefold.spring.boot;

import io.onefold.spring.CallsNotInterceptedException;
import io.onefold.spring.DuplicateOperationNameException;
import io.onefold.spring.NotTransactionalException;
import io.onefold.spring.UnusableTokensException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what to do about the failures that the starter knows. */
final class StartFailureAnalyzer {
    private StartFailureAnalyzer() {}

    static final class NoPrincipalAnalyzer extends AbstractFailureAnalyzer<NoPrincipalException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, NoPrincipalException cause) {
            return new FailureAnalysis(
                    cause.getMessage(),
                    "Add spring-boot-starter-security, or define a bean of type ServletCallerResolver (ReactiveCallerResolver in WebFlux)"
                            + " that says who asks; if all callers may share their keys, set onefold.http.principal=anonymous.",
                    cause);
        }
    }

    static final class MissingStoreAnalyzer extends AbstractFailureAnalyzer<MissingStoreException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, MissingStoreException cause) {
            return new FailureAnalysis(cause.getMessage(), cause.remedy(), cause);
        }
    }

    static final class DuplicateNameAnalyzer extends AbstractFailureAnalyzer<DuplicateOperationNameException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, DuplicateOperationNameException cause) {
            return new FailureAnalysis(
                    cause.getMessage(),
                    "Give each method a name of its own: @Idempotent(operation = \"...\"). Records are kept under it.",
                    cause);
        }
    }

    static final class ContradictorySettingsAnalyzer extends AbstractFailureAnalyzer<ContradictorySettingsException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, ContradictorySettingsException cause) {
            return new FailureAnalysis(cause.what() + ".", cause.remedy(), cause);
        }
    }

    /** Settings that contradict each other, or say what cannot be: the engine refuses them, and knows nothing of properties. */
    static final class InvalidSettingAnalyzer extends AbstractFailureAnalyzer<IllegalArgumentException> {
        @Override
        protected @Nullable FailureAnalysis analyze(Throwable root, IllegalArgumentException cause) {
            StackTraceElement[] trace = cause.getStackTrace();
            boolean ours = trace.length > 0 && trace[0].getClassName().startsWith("io.onefold.");
            if (!ours || findCause(root, BindException.class) != null) {
                return null; // for others to analyze, who know the property
            }
            return new FailureAnalysis(
                    cause.getMessage(),
                    "Change what the annotation says, or what is configured under onefold.operations.<name> or onefold.defaults.",
                    cause);
        }
    }

    static final class CallsNotInterceptedAnalyzer extends AbstractFailureAnalyzer<CallsNotInterceptedException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, CallsNotInterceptedException cause) {
            return new FailureAnalysis(
                    cause.getMessage(),
                    "Calls are seen where Spring's proxies can stand before them: make the method neither final, private nor"
                            + " static, and the bean none that other beans are made with (a BeanPostProcessor, or what one needs).",
                    cause);
        }
    }

    static final class NotTransactionalAnalyzer extends AbstractFailureAnalyzer<NotTransactionalException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, NotTransactionalException cause) {
            return new FailureAnalysis(
                    cause.getMessage(),
                    "To join, the application needs one transaction manager on the DataSource that the records are in"
                            + " (spring-boot-starter-jdbc or -data-jpa, and onefold.store=auto or jdbc). If the effect is"
                            + " elsewhere, say mode = Mode.LEASED.",
                    cause);
        }
    }

    static final class UnusableTokensAnalyzer extends AbstractFailureAnalyzer<UnusableTokensException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, UnusableTokensException cause) {
            return new FailureAnalysis(
                    cause.getMessage(),
                    "Set onefold.tokens.enabled=true, or define a bean of type Tokens; let records be kept at least as long as"
                            + " onefold.tokens.life. Only handlers of requests, and what they call, can ask for tokens: elsewhere"
                            + " remove token = true.",
                    cause);
        }
    }

    static final class WrongBootAnalyzer extends AbstractFailureAnalyzer<WrongBootException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, WrongBootException cause) {
            return new FailureAnalysis(cause.getMessage(), cause.remedy(), cause);
        }
    }

    static final class StoreUnreachableAnalyzer extends AbstractFailureAnalyzer<UnusableStoreException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, UnusableStoreException cause) {
            return new FailureAnalysis(
                    cause.getMessage(),
                    "See that the database or Redis runs and may be reached with the configured user. If a table is"
                            + " missing or of another shape, create it from io/onefold/jdbc/schema/ in the jar of onefold-store-jdbc, or set"
                            + " onefold.jdbc.initialize-schema=always to have missing tables made; or keep records in Redis instead:"
                            + " onefold.store=redis, with onefold-store-redis.",
                    cause);
        }
    }
}
