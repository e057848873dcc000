package io.onefold.spring;

import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.RetentionPresets;
import io.onefold.TokenStore;
import io.onefold.TypeRef;
import io.onefold.Verdict;
import io.onefold.http.HttpPolicy;
import io.onefold.http.StoredHandlerResult;
import io.onefold.spring.IdempotentMetadata.DeclaredKeyLocation;
import io.onefold.upkeep.OutcomeProbe;
import io.onefold.upkeep.Reconciler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** An idempotent method, with everything that is known before its first call. */
public final class IdempotentMethod {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotentMethod.class);

    private final Method method;
    private final Class<?> type;
    private final IdempotentMetadata declared;
    private final InvocationSource door;
    private final String operation;
    private final TransactionMode mode;
    private final ReturnType returned;
    private final Onefold onefold;
    private final OperationSettingsRegistry policies;
    private final KeyResolver keys;
    private final String keyHeader;
    private final @Nullable String early;
    private final @Nullable String trouble;

    /** True if an HTTP filter holds the method's requests, so that the response is kept. */
    private final boolean filtered;

    private volatile @Nullable AppliedPolicy applied;

    /** @throws IllegalArgumentException if the method cannot be made idempotent; the message says why */
    IdempotentMethod(Method method, Class<?> type, IdempotentMetadata declared, IdempotentContext wiring) {
        this.method = method;
        this.type = type;
        this.declared = declared;
        this.door = InvocationSource.of(method, type);
        this.operation = name(method, type, declared);
        String unheard = ListenerCheck.trouble(method, type, door, declared, wiring.messages());
        if (unheard != null) {
            throw new IllegalArgumentException(this + " " + unheard);
        }
        this.early = ReturnType.early(method, type);
        this.trouble = ReturnType.trouble(method, type, door == InvocationSource.HTTP);
        this.filtered = door == InvocationSource.HTTP && !wiring.requests().equals(RequestResolver.NONE);
        ReturnType whole = ReturnType.of(method, type);
        this.returned = trouble == null ? whole : whole.unkept();
        this.mode = mode(declared.mode(), wiring.transactions());
        this.onefold = wiring.onefold();
        this.policies = wiring.policies();
        this.keys = new KeyResolver(this, wiring);
        this.keyHeader = wiring.header();
        warnOfShortKeep();
        if (declared.token() && !settings().isShadow()) {
            checkTokens();
        }
        if (filterPolicy() == null && !settings().isShadow()) {
            // shadow mode keeps nothing, and a call that cannot be compared runs like any other
            claimable();
        } else if (filterPolicy() != null && settings().isOfMethods()) {
            LOG.warn(
                    "{}: maxAttempts, maxResultBytes, refuseLate and overwrite are heeded only if its annotation says them",
                    operation);
        }
    }

    /**
     * Warns of a keep time that is shorter than the possible delay of a job. A node that fires after the keep time finds no record, and
     * repeats the run of another node.
     */
    private void warnOfShortKeep() {
        Duration latest = keys.latest();
        OperationSettings settings = settings();
        Duration keep = settings.keep() == null ? RetentionPresets.DEFAULT : settings.keep();
        Duration kept = settings.refuseLate() == null ? keep : keep.plus(settings.refuseLate());
        if (latest != null && kept.compareTo(latest) < 0) {
            LOG.warn(
                    "{}: keep {} is shorter than the time between two planned times, {}. A node that fires more than keep after another"
                            + " node has run (its scheduler was busy, or its clock is behind) runs that planned time again",
                    this,
                    keep,
                    latest);
        }
    }

    private void checkTokens() {
        if (door.listens() || door == InvocationSource.SCHEDULED) {
            throw new UnusableTokensException(this + " wants tokens, but is no handler of requests: nobody has one");
        }
        if (onefold.tokens() == null) {
            throw new UnusableTokensException(this + " wants tokens, but there are none");
        }
    }

    /** The method with its class and its parameter types. */
    String spelled() {
        return method.toGenericString() + " of " + type.getName();
    }

    static String name(Method method, Class<?> type, IdempotentMetadata declared) {
        if (!declared.operation().isEmpty()) {
            return declared.operation();
        }
        return InvocationSource.of(method, type) == InvocationSource.HTTP
                ? HandlerMethods.name(method, type)
                : derived(method, type);
    }

    private static String derived(Method method, Class<?> type) {
        if (Proxy.isProxyClass(type)) {
            return method.getDeclaringClass().getSimpleName() + "." + method.getName();
        }
        return ClassUtils.getUserClass(type).getSimpleName() + "." + method.getName();
    }

    private TransactionMode mode(TransactionMode wanted, @Nullable SpringTransactionSupport transactions) {
        boolean later = returned.carrier() != ReturnType.AsyncWrapper.NONE;
        if (wanted == TransactionMode.JOINED) {
            String trouble = transactions == null
                    ? "the store cannot write records in a transaction of the application's"
                    : transactions.trouble(method, type);
            if (trouble != null) {
                throw new NotTransactionalException(this + " is to be joined, but " + trouble);
            }
            if (later) {
                throw new NotTransactionalException(
                        this + " is to be joined, but goes on after it has returned, outside of the transaction");
            }
            return TransactionMode.JOINED;
        }
        boolean joins = wanted == TransactionMode.AUTO
                && !later
                && transactions != null
                && transactions.surround(method, type)
                && transactions.trouble(method, type) == null;
        return joins ? TransactionMode.JOINED : TransactionMode.LEASED;
    }

    public Method method() {
        return method;
    }

    public Class<?> type() {
        return type;
    }

    public InvocationSource door() {
        return door;
    }

    /** The operation's name. */
    public String name() {
        return operation;
    }

    /** Returns true if the name is derived from the method's name: renaming the method then makes it another operation. */
    public boolean isDerived() {
        return declared.operation().isEmpty() && door != InvocationSource.HTTP;
    }

    /** {@link TransactionMode#JOINED} or {@link TransactionMode#LEASED}. */
    public TransactionMode mode() {
        return mode;
    }

    /** The settings of the method, combined from all places. */
    public OperationSettings settings() {
        return declared.settings()
                .over(policies.alone(operation))
                .over(declared.below().get())
                .over(policies.all());
    }

    /**
     * The policy by which the HTTP filter claims for this handler before it is called. Null if the filter cannot claim: the key needs the
     * handler's arguments, or the record is transactional.
     */
    public @Nullable HttpPolicy filterPolicy() {
        return door == InvocationSource.HTTP && mode == TransactionMode.LEASED
                ? AnnotationPolicy.of(declared, settings(), keyHeader)
                : null;
    }

    /** The policy of requests whose handler claims through the filter. */
    public HttpPolicy latePolicy() {
        return AnnotationPolicy.late(declared, settings(), keyHeader);
    }

    /** Failures that leave its key free. */
    public List<Class<? extends Throwable>> retryOn() {
        return declared.retryOn();
    }

    /** Registers a probe that tells a reconciler the outcome of lost calls. The probe returns what the method would have returned. */
    @SuppressWarnings("unchecked") // all other outcomes have no value
    public void probe(Reconciler reconciler, OutcomeProbe<?> probe) {
        reconciler.probe(operation(), stuck -> {
            Verdict<?> verdict = probe.probe(stuck);
            return verdict instanceof Verdict.WasExecuted<?> executed
                    ? Verdict.executed(stored(executed.result()))
                    : (Verdict<Object>) verdict;
        });
    }

    /** The place of its key, for reports. */
    public String keyPlace() {
        if (declared.places().isEmpty()) {
            return door == InvocationSource.SCHEDULED ? "planned time" : "header " + keyHeader;
        }
        List<String> all = new ArrayList<>();
        for (DeclaredKeyLocation place : declared.places()) {
            all.add(place.kind().name().toLowerCase(Locale.ROOT) + " " + place.text());
        }
        boolean everybodys = door == InvocationSource.CALL && declared.scope().isEmpty() && !asksRequest();
        return (declared.token() ? "token in " : "")
                + String.join(" or ", all)
                + (everybodys ? " (of all callers)" : "");
    }

    /**
     * Checks that the method can claim for itself. It is called for handlers that the HTTP filter does not claim for, although their
     * annotation allows it.
     *
     * @throws IllegalArgumentException if it cannot claim for itself; the message says why
     */
    public void claimable() {
        if (!filtered) {
            keepable();
        }
        onefold.check(operation());
        TokenStore tokens = declared.token() ? onefold.tokens() : null;
        Duration keep = settings().keep() == null
                ? RetentionPresets.DEFAULT
                : settings().keep();
        if (tokens != null && keep.compareTo(tokens.life()) < 0) {
            throw new UnusableTokensException(this + " keeps its records for " + keep + ", but tokens live "
                    + tokens.life() + ": a token could run twice");
        }
        if (!declared.legacy()) {
            keys.comparable();
        }
    }

    /**
     * Rejects a method whose result cannot be kept.
     *
     * @throws IllegalArgumentException if the result cannot be kept: then only the HTTP filter, which keeps the response, can claim
     */
    public void keepable() {
        if (early != null) {
            throw new IllegalArgumentException(this + " " + early);
        }
        if (trouble != null && applied().keeps) {
            throw new IllegalArgumentException(this + " " + trouble);
        }
    }

    /** Returns true if the key depends on the HTTP request of the call. */
    boolean asksRequest() {
        return door == InvocationSource.HTTP
                || declared.token()
                || declared.places().stream()
                        .anyMatch(place -> place.kind() == DeclaredKeyLocation.Kind.HEADER
                                || place.kind() == DeclaredKeyLocation.Kind.PARAMETER);
    }

    /** Returns true if it is a handler whose key is in its HTTP request, and nowhere else. */
    boolean keyIsInRequest() {
        return door == InvocationSource.HTTP
                && (declared.places().isEmpty()
                        || declared.places().stream()
                                .anyMatch(place -> place.kind() == DeclaredKeyLocation.Kind.HEADER
                                        || place.kind() == DeclaredKeyLocation.Kind.PARAMETER));
    }

    /** Returns true if it returns a Mono or a Flux, or suspends: each subscription is then a call, and finds its request in its context. */
    public boolean isReactive() {
        return returned.carrier() == ReturnType.AsyncWrapper.MONO || returned.carrier() == ReturnType.AsyncWrapper.FLUX;
    }

    /** Returns true if its keys are tokens. */
    public boolean takesTokens() {
        return declared.token();
    }

    /** Returns true if its keys belong to the user who sent the request. */
    public boolean asksCaller() {
        return asksRequest() && (declared.scope().isEmpty() || declared.token());
    }

    IdempotentMetadata declared() {
        return declared;
    }

    ReturnType returned() {
        return returned;
    }

    /** Returns the part of a result that is kept. For a handler, it stands in for the response until the response is known. */
    @Nullable
    Object stored(@Nullable Object result) {
        return door == InvocationSource.HTTP ? answer(result) : returned.stored(result);
    }

    /** Returns the part of a handler's result that is kept. */
    StoredHandlerResult<Object> answer(@Nullable Object result) {
        return trouble == null ? StoredHandlerResult.of(returned.stored(result)) : StoredHandlerResult.done();
    }

    /** Returns the method's result for a kept value. */
    @Nullable
    Object result(@Nullable Object stored) {
        return returned.returned(stored instanceof StoredHandlerResult<?> answer ? answer.value() : stored);
    }

    KeyResolver keys() {
        return keys;
    }

    /** The operation with the current policies. */
    Operation<Object> operation() {
        return applied().operation;
    }

    /**
     * The operation of a handler whose request the filter holds.
     *
     * @param covered the operation of the filter's contract, which also says what failures mean
     */
    Operation<StoredHandlerResult<Object>> handlerOperation(Operation<?> covered) {
        return handlerOperation(covered, settings());
    }

    @SuppressWarnings("unchecked") // the payload of a handler is of this type
    private Operation<StoredHandlerResult<Object>> handlerOperation(Operation<?> covered, OperationSettings chosen) {
        TypeRef<StoredHandlerResult<Object>> kept =
                (TypeRef<StoredHandlerResult<Object>>) (TypeRef<?>) TypeRef.of(keptType());
        // if duplicates are rejected, no result is needed
        return (chosen.rejects() ? chosen.maxResultBytes(0) : chosen).ofMethods(covered.returning(kept));
    }

    /** The operation of a handler for writes after a rollback: it overwrites nothing. */
    Operation<StoredHandlerResult<Object>> afterRollback(Operation<?> covered) {
        return handlerOperation(covered, settings().overwrite(false));
    }

    private Type keptType() {
        return door != InvocationSource.HTTP
                ? returned.type()
                : ResolvableType.forClassWithGenerics(
                                StoredHandlerResult.class, ResolvableType.forType(returned.type()))
                        .getType();
    }

    boolean isShadow() {
        return applied().shadow;
    }

    private AppliedPolicy applied() {
        AppliedPolicy known = applied;
        int version = policies.version();
        if (known == null || known.version != version) {
            known = apply(version);
            applied = known;
        }
        return known;
    }

    @SuppressWarnings("unchecked") // the type is that of the kept value
    private AppliedPolicy apply(int version) {
        OperationSettings settings = settings();
        Operation<Object> plain = (Operation<Object>) Operation.of(operation, TypeRef.of(keptType()));
        if (door == InvocationSource.HTTP) {
            plain = plain.maxResultBytes(StoredHandlerResult.MAX_BYTES);
        }
        if (settings.waitFor() == null && !settings.rejects() && door == InvocationSource.SCHEDULED) {
            settings = settings.waitFor(Duration.ZERO); // another node runs the job
        }
        boolean keeps = !settings.rejects();
        if (!keeps) {
            // no duplicate gets the result
            settings = settings.maxResultBytes(0);
        }
        if (door.listens() && settings.rejects()) {
            // while the first delivery of a message is in progress, another one must come again: the first may fail
            settings = settings.duplicates(DuplicatePolicy.REPLAY);
        }
        for (Class<? extends Throwable> failure : declared.retryOn()) {
            plain = plain.retryOn(failure);
        }
        for (Class<? extends Throwable> failure : declared.failOn()) {
            plain = plain.failOn(failure);
        }
        return new AppliedPolicy(version, settings.applied(plain), keeps, settings.isShadow());
    }

    @Override
    public String toString() {
        return type.getSimpleName() + "." + method.getName();
    }

    private record AppliedPolicy(int version, Operation<Object> operation, boolean keeps, boolean shadow) {}
}
