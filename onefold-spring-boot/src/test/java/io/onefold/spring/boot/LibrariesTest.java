package io.onefold.spring.boot;

import static java.util.function.Predicate.not;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import javax.xml.parsers.DocumentBuilderFactory;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * What is optional may be missing, each library alone and some together: each time on a class path that really does not have it. What
 * a library is needed for is not there without it, and all else is.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LibrariesTest {
    private static final boolean THREE =
            Objects.requireNonNull(SpringBootVersion.getVersion()).startsWith("3.");

    private static final Path CLASSES = Path.of("target", "classes");
    private static final String ACTUATOR = "spring-boot-actuator-autoconfigure";
    private static final String BY_PLACE = "RedisConfiguration.RedisByAddress";
    private static final String REDIS = THREE ? "Boot3RedisAutoConfiguration" : "DataRedisConfiguration";
    private static final String REST_CLIENT =
            THREE ? "Boot3ChildKeyAutoConfiguration.Boot3RestClientKeys" : "ChildKeyAutoConfiguration.RestClientKeys";
    private static final String WEB_CLIENT =
            THREE ? "Boot3ChildKeyAutoConfiguration.Boot3WebClientKeys" : "ChildKeyAutoConfiguration.WebClientKeys";

    /** Whose optional dependencies those of the starter are. */
    private static final List<String> MODULES =
            List.of("onefold-http", "onefold-spring", "onefold-spring-boot", "onefold-spring-boot3");

    /** Of this class path, what no application has or a kiosk needs: the fewer jars are looked into, the faster it starts. */
    private static final Pattern OTHERS =
            Pattern.compile("(archunit|assertj|byte-buddy|embedded-|flyway|hamcrest|hibernate"
                    + "|jaxb|jetty|junit|kafka-(?!clients)|kafka_|maria|mockito|mysql|netty-codec-native|postgres|qpid|rocksdb|scala"
                    + "|xmlunit|zookeeper).*");

    /** On these class paths an artifact of that name has the same in it, or nobody can have it without the library. */
    private static final Map<String, String> JARS = Map.of(
            "spring-boot-data-redis", "spring-boot-data-redis|spring-data-redis",
            "jackson-annotations", "jackson-.*",
            "jakarta.servlet-api", "jakarta.servlet-api|tomcat-embed-.*",
            "spring-tx", "spring-tx|spring-data-.*");

    /** Of Spring Boot 4: before, they were parts of others. And of its Jackson. */
    private static final Set<String> NOT_ON_3 = Set.of(
            "onefold-jackson",
            "spring-boot-sql",
            "spring-boot-health",
            "spring-boot-restclient",
            "spring-boot-webclient");

    /** What the starter can do without, in which kind of application, and what of ours is not there then. */
    private static final List<Case> CASES = List.of(
            none("onefold-store-jdbc", "JdbcConfiguration", "StoreConfiguration.TieredConfiguration"),
            none(
                    "onefold-store-redis",
                    REDIS,
                    "RedisConfiguration",
                    BY_PLACE,
                    "StoreConfiguration.TieredConfiguration"),
            none("spring-boot-data-redis", REDIS, BY_PLACE, "StoreConfiguration.TieredConfiguration"),
            none("spring-boot-sql"),
            none(
                    "spring-jdbc",
                    "JdbcConfiguration",
                    "TransactionSupportAutoConfiguration",
                    "StoreConfiguration.TieredConfiguration"),
            none(
                    "spring-tx",
                    "TransactionSupportAutoConfiguration",
                    REDIS,
                    BY_PLACE,
                    "StoreConfiguration.TieredConfiguration"),
            servlet("onefold-jackson", "JacksonConfiguration"),
            servlet("onefold-jackson2", "Jackson2Configuration"),
            THREE
                    ? servlet("jackson-annotations", "Jackson2Configuration")
                    : servlet("jackson-annotations", "JacksonConfiguration", "Jackson2Configuration"),
            servlet("spring-boot-health", "StoreHealthAutoConfiguration"),
            THREE
                    ? servlet(ACTUATOR, "EndpointAutoConfiguration", "Boot3StoreHealthAutoConfiguration")
                    : servlet(ACTUATOR, "EndpointAutoConfiguration"),
            servlet("spring-boot-restclient", REST_CLIENT),
            servlet("spring-boot-webclient", WEB_CLIENT),
            servlet("feign-core", "ClientAutoConfiguration.FeignKeys"),
            servlet("spring-webmvc", "ServletFilterAutoConfiguration.MvcConfiguration"),
            servlet("spring-webflux", WEB_CLIENT),
            reactive(
                    "spring-webflux",
                    WEB_CLIENT,
                    "HttpContractAutoConfiguration",
                    "WebFluxFilterAutoConfiguration",
                    "WebFluxFilterAutoConfiguration.WebFilterConfiguration"),
            reactive("reactor-netty-http"),
            reactive("jakarta.servlet-api"),
            servlet(
                    "jakarta.servlet-api",
                    "RequestAutoConfiguration",
                    "ServletFilterAutoConfiguration",
                    "ServletFilterAutoConfiguration.MvcConfiguration"),
            servlet("spring-kafka", "KafkaFactoryPostProcessor"),
            servlet("spring-rabbit", "RabbitFactoryPostProcessor"));

    private record Case(String kind, String library, Set<String> needing) {
        String jars() {
            return JARS.getOrDefault(library, library);
        }

        boolean isHere() {
            return Elsewhere.classPath().stream()
                    .anyMatch(entry -> artifact(entry).matches(jars()));
        }

        @Override
        public String toString() {
            return library + ", in an application of the kind " + kind;
        }
    }

    private static Case none(String library, String... needing) {
        return new Case("none", library, Set.of(needing));
    }

    private static Case servlet(String library, String... needing) {
        return new Case("servlet", library, Set.of(needing));
    }

    private static Case reactive(String library, String... needing) {
        return new Case("reactive", library, Set.of(needing));
    }

    private final Map<String, Set<String>> complete = new HashMap<>();

    @BeforeAll
    void kiosks_open_with_all_that_there_is() throws Exception {
        for (String kind : List.of("none", "servlet", "reactive")) {
            complete.put(kind, kiosk(kind, "nothing"));
        }
    }

    static List<Case> cases() {
        return CASES.stream().filter(Case::isHere).toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void a_kiosk_opens_without(Case without) throws Exception {
        Set<String> all = Objects.requireNonNull(complete.get(without.kind()));
        Set<String> here = kiosk(without.kind(), without.jars());
        Set<String> gone = new TreeSet<>(all);
        gone.removeAll(here);
        assertThat(gone).extracting(ClassUtils::getShortName).containsExactlyInAnyOrderElementsOf(without.needing());
        assertThat(all).containsAll(here);
    }

    @Test
    void every_optional_dependency_has_a_case() throws Exception {
        Set<String> optional = new TreeSet<>();
        for (String module : MODULES) {
            NodeList dependencies = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(Path.of("..", module, "pom.xml").toFile())
                    .getElementsByTagName("dependency");
            for (int i = 0; i < dependencies.getLength(); i++) {
                Element dependency = (Element) dependencies.item(i);
                if (dependency.getElementsByTagName("optional").getLength() > 0) {
                    optional.add(dependency
                            .getElementsByTagName("artifactId")
                            .item(0)
                            .getTextContent());
                }
            }
        }
        assertThat(CASES.stream().map(Case::library).collect(Collectors.toSet()))
                .isEqualTo(optional);
        assertThat(CASES.stream().filter(not(Case::isHere)).map(Case::library).collect(Collectors.toSet()))
                .isEqualTo(THREE ? NOT_ON_3 : Set.of());
    }

    @Test
    void whatever_asks_for_a_class_has_a_case_without_it() throws Exception {
        Set<String> asking = new TreeSet<>();
        for (Set<String> names : complete.values()) {
            for (String name : names) {
                if (Class.forName(name).isAnnotationPresent(ConditionalOnClass.class)) {
                    asking.add(ClassUtils.getShortName(name));
                }
            }
        }
        Set<String> gone =
                cases().stream().flatMap(one -> one.needing().stream()).collect(Collectors.toCollection(TreeSet::new));
        if (THREE) {
            gone.add(REST_CLIENT); // whose classes come with Spring Boot itself
        }
        assertThat(gone).containsAll(asking);
        assertThat(asking).hasSizeGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring-boot-(actuator|health).*|micrometer-core",
                "spring-boot-data-redis|spring-data-redis|lettuce-core|onefold-store-redis",
                "jackson-(databind|core)|onefold-jackson.*",
                "spring-boot-restclient|spring-boot-webclient|feign-core"
            })
    void a_kiosk_opens_without_all_of(String libraries) throws Exception {
        kiosk("servlet", libraries);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(spring|spring-boot)-(webflux|webclient).*|reactor-.*", "spring-(boot-)?security.*"})
    void a_servlet_application_starts_without(String libraries) throws Exception {
        start(Shop.class, libraries);
    }

    @Test
    void a_reactive_application_starts_without_servlets() throws Exception {
        start(
                ReactiveShop.class,
                "spring-(boot-)?webmvc.*|.*(tomcat|jetty|servlet).*",
                "--spring.main.web-application-type=reactive");
    }

    @Test
    void a_store_is_opened_without_what_initializes_databases() throws Exception {
        start(
                Stored.class,
                "spring-boot-(sql|jdbc|transaction).*|hibernate-.*|.*jpa.*",
                "--spring.main.web-application-type=none");
    }

    private static Set<String> kiosk(String kind, String without) throws Exception {
        Pattern missing = Pattern.compile(without);
        return Elsewhere.start(
                Kiosk.class,
                entry -> !missing.matcher(artifact(entry)).matches()
                        && !OTHERS.matcher(artifact(entry)).matches(),
                List.of(
                        Elsewhere.WITHOUT_SERVER,
                        "--spring.main.web-application-type=" + kind,
                        "--spring.datasource.generate-unique-name=true",
                        "--spring.datasource.type=org.h2.jdbcx.JdbcDataSource",
                        "--spring.data.redis.port=1",
                        "--management.endpoints.web.exposure.include=*",
                        "--onefold.clients.child-keys=all",
                        "--onefold.http.principal=anonymous"));
    }

    private static void start(Class<?> application, String without, String... more) throws Exception {
        Pattern missing = Pattern.compile(without);
        List<String> settings = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.datasource.generate-unique-name=true",
                "--onefold.http.principal=anonymous",
                Running.WITHOUT_JETTY));
        settings.addAll(List.of(more));
        Elsewhere.start(application, entry -> !missing.matcher(artifact(entry)).matches(), settings);
    }

    /** The name of a jar without its version, or of the module that classes belong to. */
    private static String artifact(Path entry) {
        int names = entry.getNameCount();
        String name = entry.getName(entry.endsWith(CLASSES) ? names - CLASSES.getNameCount() - 1 : names - 1)
                .toString();
        return name.replaceFirst("-\\d[^/]*\\.jar$", "");
    }

    @Application
    static class Stored {
        @Bean
        DataSource database() {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:stored;DB_CLOSE_DELAY=-1");
            return source;
        }
    }
}
