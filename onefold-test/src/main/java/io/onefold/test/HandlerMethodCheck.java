package io.onefold.test;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaEnumConstant;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A method of a controller that handles requests. Spring takes its annotations from what it overrides, too, and so does this. Bridges
 * carry the annotations of what they lead to, so that a generic method and what implements it meet under one signature.
 */
final class HandlerMethodCheck {
    private static final String CONTROLLER = "org.springframework.stereotype.Controller";
    private static final Set<String> MAPPINGS = Set.of(
            "org.springframework.web.bind.annotation.RequestMapping",
            "org.springframework.web.service.annotation.HttpExchange");
    private static final Set<String> IDEMPOTENT =
            Set.of("io.onefold.spring.Idempotent", "io.onefold.spring.legacy.Idempotent");
    private static final String NOT_IDEMPOTENT = "io.onefold.spring.NotIdempotent";

    private final String name;
    private final List<JavaAnnotation<?>> annotations;
    private final Set<String> methods = new TreeSet<>();

    private HandlerMethodCheck(String name, List<JavaAnnotation<?>> ofMethod, List<JavaAnnotation<?>> ofClass) {
        this.name = name;
        this.annotations = new ArrayList<>(ofMethod);
        annotations.addAll(ofClass);
        for (JavaAnnotation<?> annotation : annotations) {
            if (maps(annotation)) {
                methods.addAll(methods(annotation));
            }
        }
    }

    static boolean isController(JavaClass type) {
        return !type.isAnnotation() && type.isMetaAnnotatedWith(CONTROLLER);
    }

    static List<HandlerMethodCheck> of(JavaClass controller) {
        List<JavaAnnotation<?>> ofClass = new ArrayList<>();
        ancestry(controller).forEach(type -> ofClass.addAll(all(type.getAnnotations())));
        Map<String, List<JavaAnnotation<?>>> bySignature = new TreeMap<>();
        for (JavaMethod method : controller.getAllMethods()) {
            String signature = method.getFullName()
                    .substring(method.getOwner().getFullName().length());
            bySignature.computeIfAbsent(signature, same -> new ArrayList<>()).addAll(all(method.getAnnotations()));
        }
        List<HandlerMethodCheck> handlers = new ArrayList<>();
        bySignature.forEach((signature, annotations) -> {
            if (annotations.stream().anyMatch(HandlerMethodCheck::maps)) {
                handlers.add(new HandlerMethodCheck(controller.getFullName() + signature, annotations, ofClass));
            }
        });
        return handlers;
    }

    private static Set<JavaClass> ancestry(JavaClass type) {
        Set<JavaClass> all = new HashSet<>(type.getAllRawSuperclasses());
        all.addAll(type.getAllRawInterfaces());
        all.add(type);
        return all;
    }

    /** With those that they are annotated with themselves. */
    private static List<JavaAnnotation<?>> all(Collection<? extends JavaAnnotation<?>> direct) {
        List<JavaAnnotation<?>> found = new ArrayList<>(direct);
        Set<JavaClass> known = new HashSet<>();
        for (int i = 0; i < found.size(); i++) {
            JavaClass type = found.get(i).getRawType();
            if (known.add(type)) {
                found.addAll(type.getAnnotations());
            }
        }
        return found;
    }

    private static boolean maps(JavaAnnotation<?> annotation) {
        return MAPPINGS.contains(annotation.getRawType().getName());
    }

    private static Set<String> methods(JavaAnnotation<?> mapping) {
        Object named = mapping.get("method").orElse("");
        Set<String> names = new TreeSet<>();
        if (named instanceof JavaEnumConstant[] constants) {
            for (JavaEnumConstant constant : constants) {
                names.add(constant.name());
            }
        } else if (named instanceof String text && !text.isBlank()) {
            names.add(text);
        }
        return names;
    }

    boolean takesAny(Set<String> asked) {
        return methods.isEmpty() || !Collections.disjoint(methods, asked);
    }

    /** Null if nothing is. */
    @Nullable
    String whatIsWrong() {
        String handles = name + " handles "
                + (methods.isEmpty() ? "requests of every method, because it names none," : String.join(", ", methods));
        String todo = "; make it @Idempotent, or say @NotIdempotent(\"why\")";
        boolean excused = false;
        for (JavaAnnotation<?> annotation : annotations) {
            String type = annotation.getRawType().getName();
            if (IDEMPOTENT.contains(type)) {
                return null;
            }
            if (type.equals(NOT_IDEMPOTENT)) {
                if (annotation
                        .get("value")
                        .filter(why -> !why.toString().isBlank())
                        .isPresent()) {
                    return null;
                }
                excused = true;
            }
        }
        return handles + (excused ? " and is @NotIdempotent without saying why" : " and is not idempotent") + todo;
    }
}
