package io.onefold.spring.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each way of calling others works where the libraries of the others are missing. */
class AbsentLibrariesTest {
    private static final Map<String, List<String>> NEEDED = Map.of(
            "ChildKeyRules", List.of(),
            "AttemptTaskDecorator", List.of(),
            "ChildKeyHttpInterceptor", List.of("org.springframework.http."),
            "ChildKeyExchangeFilter", List.of("org.springframework.http.", "org.springframework.web.", "reactor."),
            "ChildKeyFeignInterceptor", List.of("feign."));
    private static final Set<String> LIBRARIES =
            Set.of("org.springframework.http.", "org.springframework.web.", "reactor.", "feign.");

    @Test
    void a_class_needs_no_library_but_its_own() throws Exception {
        for (Map.Entry<String, List<String>> way : NEEDED.entrySet()) {
            Only only = new Only(way.getValue());
            only.made(way.getKey());
        }
    }

    @Test
    void a_library_that_is_needed_is_missed_here() {
        assertThatThrownBy(() -> new Only(List.of()).made("ChildKeyExchangeFilter"))
                .isInstanceOf(LinkageError.class);
    }

    /** Loads our classes anew, with none of the libraries but these. */
    private static final class Only extends ClassLoader {
        private final List<String> present;

        Only(List<String> present) {
            super(AbsentLibrariesTest.class.getClassLoader());
            this.present = present;
        }

        void made(String name) throws Exception {
            Class<?> type = Class.forName("io.onefold.spring.client." + name, true, this);
            assertThat(type.getClassLoader()).isSameAs(this);
            assertThat(type.getDeclaredMethods()).isNotEmpty();
            if (name.equals("ChildKeyRules")) {
                assertThat(type.getMethod("standard").invoke(null)).isNotNull();
            } else {
                assertThat(type.getConstructor().newInstance()).isNotNull();
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            for (String library : LIBRARIES) {
                if (name.startsWith(library) && !present.contains(library)) {
                    throw new ClassNotFoundException(name);
                }
            }
            if (!name.startsWith("io.onefold.spring.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
