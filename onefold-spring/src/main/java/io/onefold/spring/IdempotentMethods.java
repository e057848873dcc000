package io.onefold.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ReflectionUtils;

/** All methods that are safe to repeat. What is wrong with one of them is told when the application starts. */
public final class IdempotentMethods implements SmartInitializingSingleton {
    private final ConfigurableListableBeanFactory beans;
    private final Supplier<Wiring> wiring;
    private final Map<MethodClassKey, Optional<IdempotentMethod>> known = new ConcurrentHashMap<>();

    IdempotentMethods(ConfigurableListableBeanFactory beans, Supplier<Wiring> wiring) {
        this.beans = beans;
        this.wiring = wiring;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String bean : beans.getBeanDefinitionNames()) {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
            if (type == null || bean.startsWith("scopedTarget.")) {
                continue;
            }
            for (Method method : MethodIntrospector.selectMethods(
                    type, (ReflectionUtils.MethodFilter) candidate -> Declared.isOn(candidate))) {
                checkProxied(bean, type, method);
                of(method, type);
            }
        }
        checkNames();
    }

    private void checkProxied(String bean, Class<?> type, Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isFinal(modifiers) || Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            throw new IllegalStateException(Declared.name(method)
                    + " cannot be made safe to repeat, because it is final, private or static: calls cannot be seen");
        }
        Object made = beans.containsSingleton(bean) ? beans.getSingleton(bean) : null;
        if (made != null && !type.isInterface() && type.isInstance(made) && !AopUtils.isAopProxy(made)) {
            throw new IllegalStateException("the bean " + bean + " has a method that is safe to repeat, "
                    + Declared.name(method) + ", but was made too early to be protected: it is needed by something that"
                    + " itself takes part in making beans");
        }
    }

    /** One name is one operation: two methods under it would answer each other's duplicates. */
    private void checkNames() {
        Map<String, IdempotentMethod> byName = new LinkedHashMap<>();
        for (IdempotentMethod method : all()) {
            IdempotentMethod other = byName.putIfAbsent(method.name(), method);
            if (other != null && other != method) {
                throw new SharedNameException("the operation \"" + method.name() + "\" is both " + other.spelled()
                        + " and " + method.spelled() + "; give one of them another name: operation = \"...\"");
            }
        }
    }

    /** In the order of their names. */
    public List<IdempotentMethod> all() {
        Set<IdempotentMethod> distinct = new LinkedHashSet<>();
        known.values().forEach(method -> method.ifPresent(distinct::add));
        List<IdempotentMethod> all = new ArrayList<>(distinct);
        all.sort(Comparator.comparing(IdempotentMethod::name));
        return all;
    }

    /** Null if it is none of them. */
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
        Wiring with = wiring.get();
        Declared declared = Declared.of(method, with.placeholders(), with.legacy());
        Optional<IdempotentMethod> found =
                declared == null ? Optional.empty() : Optional.of(new IdempotentMethod(method, type, declared, with));
        Optional<IdempotentMethod> earlier = known.putIfAbsent(key, found);
        return earlier == null ? found : earlier;
    }

    Wiring wiring() {
        return wiring.get();
    }

    static Class<?> target(Object bean) {
        return AopProxyUtils.ultimateTargetClass(bean);
    }
}
