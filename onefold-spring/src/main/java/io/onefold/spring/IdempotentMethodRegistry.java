package io.onefold.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.ReflectionUtils;

/** All idempotent methods. Errors in their declarations are reported when the application starts. */
public final class IdempotentMethodRegistry implements SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(IdempotentMethodRegistry.class);

    private final ConfigurableListableBeanFactory beans;
    private final CreatedBeans made;
    private final Supplier<IdempotentContext> wiring;
    private final Set<String> replaced = ConcurrentHashMap.newKeySet();
    private final Map<String, String> moved = new ConcurrentHashMap<>();
    private final Map<MethodClassKey, Optional<IdempotentMethod>> known = new ConcurrentHashMap<>();
    private final List<Consumer<IdempotentMethod>> later = new CopyOnWriteArrayList<>();
    private volatile boolean started;

    IdempotentMethodRegistry(
            ConfigurableListableBeanFactory beans, CreatedBeans made, Supplier<IdempotentContext> wiring) {
        this.beans = beans;
        this.made = made;
        this.wiring = wiring;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Map<IdempotentMethod, String> owners = new HashMap<>();
        for (String bean : beans.getBeanDefinitionNames()) {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
            if (type == null || bean.startsWith("scopedTarget.")) {
                continue;
            }
            for (Method method : MethodIntrospector.selectMethods(
                    type, (ReflectionUtils.MethodFilter) candidate -> IdempotentMetadata.isOn(candidate))) {
                IdempotentMetadata declared = isReplaced(bean) ? declared(method) : null;
                if (declared != null) {
                    replaced.add(IdempotentMethod.name(method, type, declared));
                    LOG.warn(
                            "{} is not made safe to repeat: what stands in the place of the bean {} was not made by Spring, or before"
                                    + " all else. Where a test has put it there, that is right",
                            IdempotentMetadata.name(method),
                            bean);
                    continue;
                }
                checkProxied(bean, type, method);
                IdempotentMethod found = of(method, type);
                if (found != null) {
                    checkMoved(found, bean, type, method);
                }
                String other = found == null ? null : owners.putIfAbsent(found, bean);
                if (other != null && !other.equals(bean)) {
                    LOG.warn(
                            "{} is a method of the beans {} and {}: the same key in both is one request. If it is not, let"
                                    + " scope tell them apart, or give each a class with an operation of its own",
                            found,
                            other,
                            bean);
                }
            }
        }
        // if one bean with a name was made by Spring and another one was replaced, the name is protected
        all().forEach(method -> replaced.remove(method.name()));
        checkNames();
        started = true;
    }

    /** Returns true if the bean was replaced, for example by a mock. Its method is not called then, and need not be callable. */
    private boolean isReplaced(String bean) {
        return beans.containsSingleton(bean) && !made.contains(bean) && !AopUtils.isAopProxy(beans.getSingleton(bean));
    }

    private void checkProxied(String bean, Class<?> type, Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isFinal(modifiers) || Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            throw new CallsNotInterceptedException(IdempotentMetadata.name(method)
                    + " cannot be made safe to repeat, because it is final, private or static: calls cannot be seen");
        }
        Object made = beans.containsSingleton(bean) ? beans.getSingleton(bean) : null;
        if (made != null && AopUtils.isJdkDynamicProxy(made) && !isOfInterface(made, method)) {
            throw new IllegalStateException(
                    IdempotentMetadata.name(method) + " cannot be made safe to repeat, because the bean " + bean
                            + " is called by its interfaces, and none of them has it: calls cannot be seen; declare it there, or let the"
                            + " bean be called by its class (proxyTargetClass = true)");
        }
        if (made != null && !type.isInterface() && type.isInstance(made) && !AopUtils.isAopProxy(made)) {
            throw new CallsNotInterceptedException("the bean " + bean + " has a method that is safe to repeat, "
                    + IdempotentMetadata.name(method)
                    + ", but was made too early to be protected: it is needed by something that"
                    + " itself takes part in making beans");
        }
    }

    private void checkMoved(IdempotentMethod found, String bean, Class<?> type, Method method) {
        Object made = beans.containsSingleton(bean) ? beans.getSingleton(bean) : null;
        String why = made == null || found.door() != InvocationSource.HTTP ? null : obstacle(found, made, type, method);
        if (why != null) {
            moved.put(found.name(), why);
        }
        checkMoved(found);
    }

    /** The reason why advice around a handler prevents idempotency; null if there is none. */
    private @Nullable String obstacle(IdempotentMethod found, Object made, Class<?> type, Method method) {
        String by = OffThreadAdvice.around(made, method, type);
        if (by != null) {
            return by
                    + " runs it on another thread, where it does not find its request, and answers before it has run; put "
                    + by + " on a service that the handler calls";
        }
        return found.returned().carrier() == ReturnType.AsyncWrapper.FUTURE
                        && wiring.get().requests().isLeftToFilter()
                        && OffThreadAdvice.isLimited(made, method, type)
                ? "@TimeLimiter may answer while it is at work, and in WebFlux this is not seen of a future; return a Mono, or put"
                        + " @TimeLimiter on a service that the handler calls"
                : null;
    }

    /**
     * Rejects a handler whose advice runs it on another thread, or may respond during its run. On another thread it finds no request, and a
     * response before its end says nothing.
     */
    private void checkMoved(IdempotentMethod method) {
        String why = moved.get(method.name());
        if (why != null && !method.settings().isShadow()) {
            throw new IllegalStateException("the handler " + method + " cannot be made safe to repeat, because " + why);
        }
    }

    /** Returns true if the advice of its handlers sees each call of the bean, or of the bean with this name. */
    public boolean seesCalls(Object bean) {
        Object made = bean instanceof String name ? beans.getSingleton(name) : bean;
        // a bean that is made anew for each call is made by Spring
        return made == null || HandlerCallInterceptor.isOutermostOf(made);
    }

    private static boolean isOfInterface(Object proxy, Method method) {
        for (Class<?> type : proxy.getClass().getInterfaces()) {
            for (Method candidate : type.getMethods()) {
                if (AopUtils.getMostSpecificMethod(candidate, method.getDeclaringClass())
                                .equals(method)
                        || candidate.equals(method)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Checks that each name belongs to one method: two methods under one name would replay each other's responses. */
    private void checkNames() {
        Map<String, IdempotentMethod> byName = new LinkedHashMap<>();
        for (IdempotentMethod method : all()) {
            IdempotentMethod other = byName.putIfAbsent(method.name(), method);
            if (other != null && other != method) {
                throw shared(other, method);
            }
        }
    }

    private static DuplicateOperationNameException shared(IdempotentMethod one, IdempotentMethod other) {
        return new DuplicateOperationNameException("the operation \"" + one.name() + "\" is both " + one.spelled()
                + " and " + other.spelled() + "; give one of them another name: operation = \"...\"");
    }

    /** All methods, sorted by name. */
    public List<IdempotentMethod> all() {
        Set<IdempotentMethod> distinct = new LinkedHashSet<>();
        known.values().forEach(method -> method.ifPresent(distinct::add));
        List<IdempotentMethod> all = new ArrayList<>(distinct);
        all.sort(Comparator.comparing(IdempotentMethod::name));
        return all;
    }

    /** Operations of methods that are absent because their bean was replaced, for example by the mock of a test. */
    public Set<String> replaced() {
        return Set.copyOf(replaced);
    }

    /**
     * Returns true if it is a method of a replaced bean. Such a method is not called through Spring's proxies but found on the replacement.
     * An example is a handler, which is mapped no matter which code made it.
     */
    public boolean isReplaced(Method method, Class<?> type) {
        if (replaced.isEmpty()) {
            return false; // the usual case outside of tests; this is checked for each request
        }
        Method specific = AopUtils.getMostSpecificMethod(method, type);
        IdempotentMetadata declared = declared(specific);
        return declared != null && replaced.contains(IdempotentMethod.name(specific, type, declared));
    }

    /** Returns true if the method has the annotation, or the legacy one, so that it is idempotent if Spring makes its bean. */
    public static boolean isAnnotated(Method method, Class<?> type) {
        return IdempotentMetadata.isOn(AopUtils.getMostSpecificMethod(method, type));
    }

    /** Returns null if the method is not idempotent. */
    public @Nullable IdempotentMethod of(Method method, Class<?> type) {
        MethodClassKey key = new MethodClassKey(method, type);
        Optional<IdempotentMethod> found = known.get(key);
        if (found == null) {
            found = find(AopUtils.getMostSpecificMethod(method, type), type);
            known.put(key, found);
        }
        return found.orElse(null);
    }

    private Optional<IdempotentMethod> find(Method method, Class<?> type) {
        MethodClassKey key = new MethodClassKey(method, type);
        Optional<IdempotentMethod> same = known.get(key);
        if (same != null) {
            return same;
        }
        IdempotentMetadata declared = declared(method);
        Optional<IdempotentMethod> found = declared == null
                ? Optional.empty()
                : Optional.of(new IdempotentMethod(method, type, declared, wiring.get()));
        if (started) {
            found.ifPresent(this::checkLate);
        }
        Optional<IdempotentMethod> earlier = known.putIfAbsent(key, found);
        if (earlier == null && started) {
            found.ifPresent(late -> later.forEach(each -> each.accept(late)));
        }
        return earlier == null ? found : earlier;
    }

    /** Reports each method that is found at its first call, from now on. */
    public void later(Consumer<IdempotentMethod> told) {
        later.add(told);
    }

    /** The application's beans that show their class only when they are made, and that have not been made. They may have more methods. */
    public List<String> unseen() {
        return Arrays.stream(beans.getBeanDefinitionNames())
                .filter(this::isUnseen)
                .toList();
    }

    private boolean isUnseen(String bean) {
        if (beans.containsSingleton(bean)
                || !(beans.getBeanDefinition(bean) instanceof AnnotatedBeanDefinition definition)) {
            return false;
        }
        MethodMetadata maker = definition.getFactoryMethodMetadata();
        // builders and similar beans, which are made anew for each user
        if (maker == null || maker.getDeclaringClassName().startsWith("org.springframework.")) {
            return false;
        }
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
        return type == null || Modifier.isAbstract(type.getModifiers());
    }

    private @Nullable IdempotentMetadata declared(Method method) {
        IdempotentContext with = wiring.get();
        return IdempotentMetadata.of(method, with.placeholders(), with::legacySettings);
    }

    /** Checks a method that is found at its first call. Its bean shows its class only when it is made, for example lazily. */
    private void checkLate(IdempotentMethod late) {
        for (IdempotentMethod other : all()) {
            boolean same = other.method().getName().equals(late.method().getName())
                    && Arrays.equals(
                            other.method().getParameterTypes(), late.method().getParameterTypes())
                    // a subclass that a test or a proxy has made
                    && (other.type().isAssignableFrom(late.type())
                            || late.type().isAssignableFrom(other.type()));
            if (other.name().equals(late.name()) && !same) {
                throw shared(other, late);
            }
        }
    }

    /**
     * Returns the same methods with other policies, checked as at the start of the application.
     *
     * @throws RuntimeException if one of the methods cannot be called with these policies; the message names both values
     */
    public IdempotentMethodRegistry with(OperationSettingsRegistry policies) {
        IdempotentContext changed = wiring.get().with(policies);
        IdempotentMethodRegistry candidate = new IdempotentMethodRegistry(beans, made, () -> changed);
        candidate.moved.putAll(moved);
        all().forEach(method -> {
            IdempotentMethod next = candidate.of(method.method(), method.type());
            if (next != null) {
                candidate.checkMoved(next);
            }
        });
        candidate.replaced.addAll(replaced);
        return candidate;
    }

    IdempotentContext wiring() {
        return wiring.get();
    }

    static Class<?> target(Object bean) {
        return AopProxyUtils.ultimateTargetClass(bean);
    }
}
