package io.onefold.spring;

import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Presets;
import io.onefold.Tokens;
import io.onefold.TypeRef;
import io.onefold.Verdict;
import io.onefold.http.Policy;
import io.onefold.http.StoredAnswer;
import io.onefold.spring.Declared.Place;
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

/** A method that is safe to repeat, with all that can be known before it is called. */
public final class IdempotentMethod {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotentMethod.class);

    private final Method method;
    private final Class<?> type;
    private final Declared declared;
    private final Door door;
    private final String operation;
    private final Mode mode;
    private final Returned returned;
    private final Onefold onefold;
    private final Policies policies;
    private final Keys keys;
    private final String keyHeader;
    private final @Nullable String early;
    private final @Nullable String trouble;

    /** Whether an HTTP filter holds its requests, so that the response is kept. */
    private final boolean filtered;

    private volatile @Nullable Applied applied;

    /** @throws IllegalArgumentException naming what is wrong */
    IdempotentMethod(Method method, Class<?> type, Declared declared, Wiring wiring) {
        this.method = method;
        this.type = type;
        this.declared = declared;
        this.door = Door.of(method, type);
        this.operation = name(method, type, declared);
        String unheard = ListenerCheck.trouble(method, type, door, declared, wiring.messages());
        if (unheard != null) {
            throw new IllegalArgumentException(this + " " + unheard);
        }
        this.early = Returned.early(method, type);
        this.trouble = Returned.trouble(method, type, door == Door.HTTP);
        this.filtered = door == Door.HTTP && !wiring.requests().equals(Requests.NONE);
        Returned whole = Returned.of(method, type);
        this.returned = trouble == null ? whole : whole.unkept();
        this.mode = mode(declared.mode(), wiring.transactions());
        this.onefold = wiring.onefold();
        this.policies = wiring.policies();
        this.keys = new Keys(this, wiring);
        this.keyHeader = wiring.header();
        warnOfShortKeep();
        if (declared.token() && !settings().isShadow()) {
            checkTokens();
        }
        if (filterPolicy() == null && !settings().isShadow()) {
            // in shadow nothing is kept, and what cannot be compared runs like everything else
            claimable();
        } else if (filterPolicy() != null && settings().isOfMethods()) {
            LOG.warn(
                    "{}: maxAttempts, maxResultBytes, refuseLate and overwrite are heeded only if its annotation says them",
                    operation);
        }
    }

    /** Warns of a keep that is shorter than a job may be late: a node that fires after its end finds no record, and runs again what another ran. */
    private void warnOfShortKeep() {
        Duration latest = keys.latest();
        OperationSettings settings = settings();
        Duration keep = settings.keep() == null ? Presets.DEFAULT : settings.keep();
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
        if (door.listens() || door == Door.SCHEDULED) {
            throw new UnusableTokensException(this + " wants tokens, but is no handler of requests: nobody has one");
        }
        if (onefold.tokens() == null) {
            throw new UnusableTokensException(this + " wants tokens, but there are none");
        }
    }

    /** With its types, and of which class. */
    String spelled() {
        return method.toGenericString() + " of " + type.getName();
    }

    static String name(Method method, Class<?> type, Declared declared) {
        if (!declared.operation().isEmpty()) {
            return declared.operation();
        }
        return Door.of(method, type) == Door.HTTP ? Handlers.name(method, type) : derived(method, type);
    }

    private static String derived(Method method, Class<?> type) {
        if (Proxy.isProxyClass(type)) {
            return method.getDeclaringClass().getSimpleName() + "." + method.getName();
        }
        return ClassUtils.getUserClass(type).getSimpleName() + "." + method.getName();
    }

    private Mode mode(Mode wanted, @Nullable JoinedTransactions transactions) {
        boolean later = returned.carrier() != Returned.Carrier.NONE;
        if (wanted == Mode.JOINED) {
            String trouble = transactions == null
                    ? "the store cannot write records in a transaction of the application's"
                    : transactions.trouble(method, type);
            if (trouble != null) {
                throw new NotJoinableException(this + " is to be joined, but " + trouble);
            }
            if (later) {
                throw new NotJoinableException(
                        this + " is to be joined, but goes on after it has returned, outside of the transaction");
            }
            return Mode.JOINED;
        }
        boolean joins = wanted == Mode.AUTO
                && !later
                && transactions != null
                && transactions.surround(method, type)
                && transactions.trouble(method, type) == null;
        return joins ? Mode.JOINED : Mode.LEASED;
    }

    public Method method() {
        return method;
    }

    public Class<?> type() {
        return type;
    }

    public Door door() {
        return door;
    }

    /** The operation's name. */
    public String name() {
        return operation;
    }

    /** Whether the name follows that of the method: renaming that one makes it another operation. */
    public boolean isDerived() {
        return declared.operation().isEmpty() && door != Door.HTTP;
    }

    /** {@link Mode#JOINED} or {@link Mode#LEASED}. */
    public Mode mode() {
        return mode;
    }

    /** What is chosen for it, in all places together. */
    public OperationSettings settings() {
        return declared.settings()
                .over(policies.alone(operation))
                .over(declared.below().get())
                .over(policies.all());
    }

    /**
     * How the HTTP filter can claim for this handler, before it is called; null if it cannot: its key takes its arguments, or its record
     * joins a transaction.
     */
    public @Nullable Policy filterPolicy() {
        return door == Door.HTTP && mode == Mode.LEASED ? FilterPolicy.of(declared, settings(), keyHeader) : null;
    }

    /** How requests are protected whose handler claims through the filter. */
    public Policy latePolicy() {
        return FilterPolicy.late(declared, settings(), keyHeader);
    }

    /** Failures that leave its key free. */
    public List<Class<? extends Throwable>> retryOn() {
        return declared.retryOn();
    }

    /** Lets a reconciler ask what became of lost calls. The probe tells what the method would have returned. */
    @SuppressWarnings("unchecked") // whatever else it says has no value in it
    public void probe(Reconciler reconciler, OutcomeProbe<?> probe) {
        reconciler.probe(operation(), stuck -> {
            Verdict<?> verdict = probe.probe(stuck);
            return verdict instanceof Verdict.Executed<?> executed
                    ? Verdict.executed(stored(executed.result()))
                    : (Verdict<Object>) verdict;
        });
    }

    /** Where its key comes from, for reports. */
    public String keyPlace() {
        if (declared.places().isEmpty()) {
            return door == Door.SCHEDULED ? "planned time" : "header " + keyHeader;
        }
        List<String> all = new ArrayList<>();
        for (Place place : declared.places()) {
            all.add(place.kind().name().toLowerCase(Locale.ROOT) + " " + place.text());
        }
        boolean everybodys = door == Door.CALL && declared.scope().isEmpty() && !asksRequest();
        return (declared.token() ? "token in " : "")
                + String.join(" or ", all)
                + (everybodys ? " (of all callers)" : "");
    }

    /**
     * To be asked of handlers that the HTTP filter leaves to themselves, although their annotation does not.
     *
     * @throws IllegalArgumentException naming why it cannot claim for itself
     */
    public void claimable() {
        if (!filtered) {
            keepable();
        }
        onefold.check(operation());
        Tokens tokens = declared.token() ? onefold.tokens() : null;
        Duration keep = settings().keep() == null ? Presets.DEFAULT : settings().keep();
        if (tokens != null && keep.compareTo(tokens.life()) < 0) {
            throw new UnusableTokensException(this + " keeps its records for " + keep + ", but tokens live "
                    + tokens.life() + ": a token could run twice");
        }
        if (!declared.legacy()) {
            keys.comparable();
        }
    }

    /**
     * Refuses a method whose result cannot be kept.
     *
     * @throws IllegalArgumentException if it is one: then only the HTTP filter, which keeps the response, can claim
     */
    public void keepable() {
        if (early != null) {
            throw new IllegalArgumentException(this + " " + early);
        }
        if (trouble != null && applied().keeps) {
            throw new IllegalArgumentException(this + " " + trouble);
        }
    }

    /** Whether the HTTP request that it is called in says something about its key. */
    boolean asksRequest() {
        return door == Door.HTTP
                || declared.token()
                || declared.places().stream()
                        .anyMatch(place -> place.kind() == Place.Kind.HEADER || place.kind() == Place.Kind.PARAMETER);
    }

    /** Whether it is a handler whose key stands in its HTTP request, and nowhere else. */
    boolean keyIsInRequest() {
        return door == Door.HTTP
                && (declared.places().isEmpty()
                        || declared.places().stream()
                                .anyMatch(place ->
                                        place.kind() == Place.Kind.HEADER || place.kind() == Place.Kind.PARAMETER));
    }

    /** Whether it returns a Mono or a Flux, or suspends: each subscription is a call, with a context to find its request in. */
    public boolean isReactive() {
        return returned.carrier() == Returned.Carrier.MONO || returned.carrier() == Returned.Carrier.FLUX;
    }

    /** Whether its keys are tokens. */
    public boolean takesTokens() {
        return declared.token();
    }

    /** Whether its keys are those of whoever sent the request. */
    public boolean asksCaller() {
        return asksRequest() && (declared.scope().isEmpty() || declared.token());
    }

    Declared declared() {
        return declared;
    }

    Returned returned() {
        return returned;
    }

    /** What is kept of a result: of a handler, it stands for the response until that is known. */
    @Nullable
    Object stored(@Nullable Object result) {
        return door == Door.HTTP ? answer(result) : returned.stored(result);
    }

    /** The same of a handler. */
    StoredAnswer<Object> answer(@Nullable Object result) {
        return trouble == null ? StoredAnswer.of(returned.stored(result)) : StoredAnswer.done();
    }

    /** The result that was kept. */
    @Nullable
    Object result(@Nullable Object stored) {
        return returned.returned(stored instanceof StoredAnswer<?> answer ? answer.value() : stored);
    }

    Keys keys() {
        return keys;
    }

    /** With the policies of now. */
    Operation<Object> operation() {
        return applied().operation;
    }

    /**
     * The operation of a handler whose request the filter holds.
     *
     * @param covered as the filter's contract has it, which also says what failures mean
     */
    Operation<StoredAnswer<Object>> handlerOperation(Operation<?> covered) {
        return handlerOperation(covered, settings());
    }

    @SuppressWarnings("unchecked") // what handlers keep is of this type
    private Operation<StoredAnswer<Object>> handlerOperation(Operation<?> covered, OperationSettings chosen) {
        TypeRef<StoredAnswer<Object>> kept = (TypeRef<StoredAnswer<Object>>) (TypeRef<?>) TypeRef.of(keptType());
        // where duplicates are refused, nothing is told them
        return (chosen.rejects() ? chosen.maxResultBytes(0) : chosen).ofMethods(covered.returning(kept));
    }

    /** The same for what is written after a rollback: it overwrites nothing. */
    Operation<StoredAnswer<Object>> afterRollback(Operation<?> covered) {
        return handlerOperation(covered, settings().overwrite(false));
    }

    private Type keptType() {
        return door != Door.HTTP
                ? returned.type()
                : ResolvableType.forClassWithGenerics(StoredAnswer.class, ResolvableType.forType(returned.type()))
                        .getType();
    }

    boolean isShadow() {
        return applied().shadow;
    }

    private Applied applied() {
        Applied known = applied;
        int version = policies.version();
        if (known == null || known.version != version) {
            known = apply(version);
            applied = known;
        }
        return known;
    }

    @SuppressWarnings("unchecked") // the type is that of what is kept
    private Applied apply(int version) {
        OperationSettings settings = settings();
        Operation<Object> plain = (Operation<Object>) Operation.of(operation, TypeRef.of(keptType()));
        if (door == Door.HTTP) {
            plain = plain.maxResultBytes(StoredAnswer.MAX_BYTES);
        }
        if (settings.waitFor() == null && !settings.rejects() && door == Door.SCHEDULED) {
            settings = settings.waitFor(Duration.ZERO); // another node does the job
        }
        boolean keeps = !settings.rejects();
        if (!keeps) {
            // no duplicate is told it
            settings = settings.maxResultBytes(0);
        }
        if (door.listens() && settings.rejects()) {
            // a message whose first delivery is under way must come again: that one may fail
            settings = settings.duplicates(Duplicates.REPLAY);
        }
        for (Class<? extends Throwable> failure : declared.retryOn()) {
            plain = plain.retryOn(failure);
        }
        for (Class<? extends Throwable> failure : declared.failOn()) {
            plain = plain.failOn(failure);
        }
        return new Applied(version, settings.applied(plain), keeps, settings.isShadow());
    }

    @Override
    public String toString() {
        return type.getSimpleName() + "." + method.getName();
    }

    private record Applied(int version, Operation<Object> operation, boolean keeps, boolean shadow) {}
}
