package io.onefold.spring.boot;

import io.onefold.http.Route;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.spring.Idempotent;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * The business as handlers of Spring MVC whose records join their transactions, for the requests that a case wants to be covered. Others are
 * handled without. What the case says of the key is said by the annotation; all else is as configured.
 */
@Configuration(proxyBeanMethods = false)
@EnableTransactionManagement(proxyTargetClass = true)
class JoinedBusiness {
    private static final Set<String> VERBS = Set.of("GET", "OPTIONS", "POST", "PATCH", "PUT", "DELETE");
    private static final String ALL = "/**";

    @Bean
    PlatformTransactionManager transactions(Stage stage) {
        return new JdbcTransactionManager(new JoinedStore.Source(stage));
    }

    @Bean
    HttpMessageConverter<Body> bodies() {
        return new Bodies();
    }

    @Bean
    Uncovered uncovered(Stage stage) {
        return new Uncovered(stage);
    }

    /** Which handler has which requests. */
    @Bean
    SmartInitializingSingleton mappings(RequestMappingHandlerMapping mapping, ApplicationContext context, Stage stage) {
        return () -> {
            Set<String> left = new TreeSet<>(VERBS);
            for (Covering covering : coverings(stage.setting())) {
                Object bean = context.getBean(covering.handler);
                map(mapping, bean, covering.handler, covering.verbs, covering.path);
                if (covering.path.equals(ALL)) {
                    left.removeAll(covering.verbs);
                }
            }
            for (Route route : stage.setting().routes()) {
                if (route.passes()) {
                    map(mapping, context.getBean(Uncovered.class), Uncovered.class, Set.of("POST"), route.pattern());
                }
            }
            map(mapping, context.getBean(Uncovered.class), Uncovered.class, left, ALL);
        };
    }

    private static void map(
            RequestMappingHandlerMapping mapping, Object bean, Class<?> type, Set<String> verbs, String path) {
        RequestMappingInfo info = RequestMappingInfo.paths(path)
                .methods(verbs.stream().map(RequestMethod::valueOf).toArray(RequestMethod[]::new))
                .options(mapping.getBuilderConfiguration())
                .build();
        try {
            mapping.registerMapping(info, bean, type.getMethod("handle", HttpServletRequest.class, Body.class));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Registers the handlers that a case needs, and says for its annotations and settings what it wants. */
    static void register(GenericApplicationContext context, AdapterSetup setting) {
        Map<String, Object> said = new LinkedHashMap<>();
        for (Covering covering : coverings(setting)) {
            if (!context.containsBeanDefinition(covering.handler.getName())) {
                context.registerBean(covering.handler.getName(), covering.handler);
            }
            covering.say(said);
        }
        AsProperties.sayDefaults(setting, said);
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("joined", said));
        if (setting.tokens() != null) {
            context.registerBean(io.onefold.TokenStore.class, setting::tokens);
        }
        context.registerBean(
                HttpContractCustomizer.class,
                () -> builder -> setting.choose(builder).defaults(setting.policy()));
    }

    @Bean
    Refusals refusals() {
        return new Refusals();
    }

    @RestControllerAdvice
    static class Refusals {
        @ExceptionHandler
        @Nullable
        ResponseEntity<byte[]> answer(BusinessController.RefusedException refusal) {
            return refusal.answer();
        }
    }

    /** Requests that a handler has. */
    private record Covering(
            Class<? extends Handler> handler,
            Set<String> verbs,
            String path,
            @Nullable String operation,
            Map<String, Object> policy) {

        void say(Map<String, Object> said) {
            String own = "joined." + handler.getSimpleName().toLowerCase(Locale.ROOT);
            if (operation != null) {
                said.put(own, operation);
            }
            if (policy.get("keep") != null && operation != null) {
                said.put("onefold.operations." + operation + ".keep", policy.get("keep"));
            }
            if (policy.get("sources") instanceof List<?> sources) {
                for (Object source : sources) {
                    String text = source.toString();
                    String name = text.substring(text.indexOf(':') + 1);
                    switch (text.substring(0, text.indexOf(':'))) {
                        case "header" -> said.put("joined.header", name);
                        case "query", "form" -> said.put("joined.parameter", name);
                        default -> said.put("joined.key", "#body.id");
                    }
                }
            }
        }
    }

    private static List<Covering> coverings(AdapterSetup setting) {
        Map<String, Object> all = AsProperties.chosen(setting.policy());
        List<Covering> coverings = new ArrayList<>();
        List<Route> routes = setting.routes().stream()
                .filter(route -> !route.passes() && !route.methods().contains("OPTIONS"))
                .toList();
        if (routes.isEmpty()) {
            if (required(all)) {
                return List.of(new Covering(Required.class, Set.of("POST", "PATCH"), ALL, null, all));
            }
            return List.of(
                    new Covering(First.class, Set.of("POST"), ALL, null, all),
                    new Covering(
                            AsProperties.isOneForAll(setting) ? First.class : Second.class,
                            Set.of("PATCH"),
                            ALL,
                            null,
                            all));
        }
        Map<String, Class<? extends Handler>> byName = new LinkedHashMap<>();
        for (Route route : routes) {
            Map<String, Object> policy = new LinkedHashMap<>(all);
            policy.putAll(AsProperties.chosen(route.policy()));
            String name = AsProperties.isOneForAll(setting)
                    ? "all"
                    : Objects.requireNonNullElse(route.operation(), route.pattern());
            Class<? extends Handler> handler = byName.computeIfAbsent(
                    name,
                    any -> policy.get("tokens") != null
                            ? Tokens.class
                            : required(policy)
                                    ? Required.class
                                    : byName.containsValue(First.class) ? Second.class : First.class);
            coverings.add(new Covering(handler, route.methods(), route.pattern(), route.operation(), policy));
        }
        return coverings;
    }

    private static boolean required(Map<String, Object> policy) {
        return Boolean.TRUE.equals(policy.get("required"));
    }

    /** What all handlers do. */
    private abstract static class Handler {
        private final Stage stage;

        Handler(Stage stage) {
            this.stage = stage;
        }

        final @Nullable ResponseEntity<byte[]> answer(HttpServletRequest request, @Nullable Body body)
                throws Exception {
            ServletRequestAttributes here =
                    (ServletRequestAttributes) Objects.requireNonNull(RequestContextHolder.getRequestAttributes());
            // for what cannot be returned: streams, and what comes before and after an answer
            return BusinessController.answer(
                    stage, request, Objects.requireNonNull(here.getResponse()), body == null ? null : body.bytes, true);
        }
    }

    static class Uncovered extends Handler {
        Uncovered(Stage stage) {
            super(stage);
        }

        @RequestMapping
        public @Nullable ResponseEntity<byte[]> handle(
                HttpServletRequest request, @RequestBody(required = false) @Nullable Body body) throws Exception {
            return answer(request, body);
        }
    }

    static class First extends Handler {
        First(Stage stage) {
            super(stage);
        }

        @Transactional(rollbackFor = Exception.class)
        @RequestMapping
        @Idempotent(
                operation = "${joined.first:first}",
                header = "${joined.header:}",
                parameter = "${joined.parameter:}",
                key = "${joined.key:}",
                required = false)
        public @Nullable ResponseEntity<byte[]> handle(
                HttpServletRequest request, @RequestBody(required = false) @Nullable Body body) throws Exception {
            return answer(request, body);
        }
    }

    static class Second extends Handler {
        Second(Stage stage) {
            super(stage);
        }

        @Transactional(rollbackFor = Exception.class)
        @RequestMapping
        @Idempotent(operation = "${joined.second:second}", required = false)
        public @Nullable ResponseEntity<byte[]> handle(
                HttpServletRequest request, @RequestBody(required = false) @Nullable Body body) throws Exception {
            return answer(request, body);
        }
    }

    static class Required extends Handler {
        Required(Stage stage) {
            super(stage);
        }

        @Transactional(rollbackFor = Exception.class)
        @RequestMapping
        @Idempotent(operation = "${joined.required:required}")
        public @Nullable ResponseEntity<byte[]> handle(
                HttpServletRequest request, @RequestBody(required = false) @Nullable Body body) throws Exception {
            return answer(request, body);
        }
    }

    static class Tokens extends Handler {
        Tokens(Stage stage) {
            super(stage);
        }

        @Transactional(rollbackFor = Exception.class)
        @RequestMapping
        @Idempotent(
                operation = "${joined.tokens:tokens}",
                header = "${joined.header:}",
                parameter = "${joined.parameter:}",
                token = true)
        public @Nullable ResponseEntity<byte[]> handle(
                HttpServletRequest request, @RequestBody(required = false) @Nullable Body body) throws Exception {
            return answer(request, body);
        }
    }

    /** A body to the byte, in which expressions find keys. */
    static final class Body {
        private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]*)\"");
        private final byte[] bytes;

        Body(byte[] bytes) {
            this.bytes = bytes;
        }

        public @Nullable String getId() {
            Matcher id = ID.matcher(new String(bytes, StandardCharsets.UTF_8));
            return id.find() ? id.group(1) : null;
        }
    }

    private static final class Bodies extends AbstractHttpMessageConverter<Body> {
        Bodies() {
            super(MediaType.ALL);
        }

        @Override
        protected boolean supports(Class<?> type) {
            return type == Body.class;
        }

        @Override
        protected Body readInternal(Class<? extends Body> type, HttpInputMessage input) throws IOException {
            return new Body(input.getBody().readAllBytes());
        }

        @Override
        protected void writeInternal(Body body, HttpOutputMessage output) {
            throw new UnsupportedOperationException();
        }
    }
}
