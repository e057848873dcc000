package io.onefold.spring.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import feign.Feign;
import feign.Headers;
import feign.Param;
import feign.RequestLine;
import feign.RequestTemplate;
import feign.RetryableException;
import feign.Retryer;
import feign.Target;
import io.onefold.Attempt;
import io.onefold.Onefold;
import io.onefold.spring.CurrentAttempt;
import io.onefold.spring.EnableIdempotent;
import io.onefold.spring.Idempotent;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.RequestEntity;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Keys of calls to others, as a real server sees them. */
class ClientsTest {
    private final Service service = new Service();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Onefold onefold = Onefold.on(new MemoryStore());
    private Shop shop = new Shop();

    @BeforeEach
    void start() {
        context.register(Basics.class, Shop.class);
        context.registerBean(Onefold.class, () -> onefold);
        context.refresh();
        shop = context.getBean(Shop.class);
    }

    @AfterEach
    void stop() {
        context.close();
        service.close();
    }

    @EnableIdempotent
    static class Basics {}

    static class Shop {
        @Idempotent(operation = "order", key = "#id", matching = "''", retryOn = Exception.class)
        void order(String id, Runnable calls) {
            calls.run();
        }

        @Idempotent(operation = "later", key = "#id", matching = "''", retryOn = Exception.class)
        Mono<String> later(String id, Mono<String> calls) {
            return calls.subscribeOn(Schedulers.parallel());
        }
    }

    @HttpExchange
    interface Exchange {
        @PostExchange("/charges")
        void charge();

        @PostExchange("/charges")
        void named(@RequestAttribute(ChildKeyRules.NAME) String name);
    }

    interface Feigned {
        @RequestLine("POST /charges")
        void charge();

        @RequestLine("POST /charges")
        @Headers("idempotency-key: {key}")
        void keyed(@Param("key") String key);

        @RequestLine("GET /charges")
        void list();
    }

    /** The ways to call others, each as one POST to the same address. */
    enum Client {
        REST_CLIENT {
            @Override
            void post(String url) {
                rest().post().uri(url + "/charges").body("{}").retrieve().toBodilessEntity();
            }
        },
        REST_TEMPLATE {
            @Override
            void post(String url) {
                template().postForObject(url + "/charges", "{}", String.class);
            }
        },
        HTTP_EXCHANGE {
            @Override
            void post(String url) {
                exchange(url).charge();
            }
        },
        WEB_CLIENT {
            @Override
            void post(String url) {
                web().post().uri(url + "/charges").retrieve().toBodilessEntity().block();
            }
        },
        FEIGN {
            @Override
            void post(String url) {
                feign(url, Retryer.NEVER_RETRY).charge();
            }
        };

        abstract void post(String url);
    }

    static RestClient rest() {
        return RestClient.builder()
                .requestFactory(new JdkClientHttpRequestFactory())
                .requestInterceptor(new ChildKeyHttpInterceptor())
                .build();
    }

    static RestTemplate template() {
        RestTemplate template = new RestTemplate();
        template.getInterceptors().add(new ChildKeyHttpInterceptor());
        return template;
    }

    static Exchange exchange(String url) {
        RestClient client = rest().mutate().baseUrl(url).build();
        return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                .build()
                .createClient(Exchange.class);
    }

    static WebClient web() {
        return WebClient.builder()
                .clientConnector(new JdkClientHttpConnector())
                .filter(new ChildKeyExchangeFilter())
                .build();
    }

    static Feigned feign(String url, Retryer retryer) {
        return Feign.builder()
                .requestInterceptor(new ChildKeyFeignInterceptor())
                .retryer(retryer)
                .errorDecoder((method, response) -> new RetryableException(
                        response.status(), "refused", response.request().httpMethod(), (Long) null, response.request()))
                .target(Feigned.class, url);
    }

    @ParameterizedTest
    @EnumSource
    void a_later_attempt_calls_with_the_same_keys_and_each_call_has_its_own(Client client) {
        Runnable twice = () -> {
            client.post(service.url());
            client.post(service.url());
        };
        service.failNext(1);
        assertThatThrownBy(() -> shop.order("a", twice)).isInstanceOf(Exception.class);
        List<String> failed = service.keys();
        assertThat(failed).hasSize(1).doesNotContain("none");
        shop.order("a", twice);
        List<String> done = service.keys();
        assertThat(done).hasSize(2).doesNotHaveDuplicates().startsWith(failed.get(0));
        shop.order("b", twice);
        assertThat(service.keys()).hasSize(2).doesNotContainAnyElementsOf(done);
    }

    @ParameterizedTest
    @EnumSource
    void nothing_is_added_outside_of_an_attempt_and_nothing_leaks_after_it(Client client) {
        client.post(service.url());
        shop.order("a", () -> client.post(service.url()));
        client.post(service.url());
        assertThat(service.keys())
                .hasSize(3)
                .startsWith("none")
                .endsWith("none")
                .anyMatch(key -> !key.equals("none"));
    }

    @Test
    void where_only_named_calls_get_keys_the_others_have_none() {
        RestClient client = RestClient.builder()
                .baseUrl(service.url())
                .requestInterceptor(new ChildKeyHttpInterceptor(
                        ChildKeyRules.standard().namedOnly().methods("POST")))
                .build();
        shop.order("o1", () -> {
            client.post().uri("/charges").retrieve().toBodilessEntity();
            client.post()
                    .uri("/charges")
                    .attribute(ChildKeyRules.NAME, "charge")
                    .retrieve()
                    .toBodilessEntity();
        });
        assertThat(service.keys()).hasSize(2).startsWith("none").doesNotHaveDuplicates();
    }

    @Test
    void a_key_of_the_callers_is_left_alone() {
        shop.order("a", () -> {
            String url = service.url() + "/charges";
            rest().post().uri(url).header("idempotency-key", "own").retrieve().toBodilessEntity();
            template()
                    .exchange(
                            RequestEntity.post(url)
                                    .header("idempotency-key", "own")
                                    .body("{}"),
                            String.class);
            web().post()
                    .uri(url)
                    .header("idempotency-key", "own")
                    .retrieve()
                    .toBodilessEntity()
                    .block();
            feign(service.url(), Retryer.NEVER_RETRY).keyed("own");
        });
        assertThat(service.keys()).containsExactly("own", "own", "own", "own");
    }

    @Test
    void a_call_that_is_named_has_the_key_of_its_name_however_often_it_is_made() {
        String url = service.url();
        shop.order("a", () -> {
            rest().post()
                    .uri(url)
                    .attribute(ChildKeyRules.NAME, "psp")
                    .retrieve()
                    .toBodilessEntity();
            web().post()
                    .uri(url)
                    .attribute(ChildKeyRules.NAME, "psp")
                    .retrieve()
                    .toBodilessEntity()
                    .block();
            exchange(url).named("psp");
            assertThat(service.keys())
                    .hasSize(3)
                    .containsOnly(Objects.requireNonNull(CurrentAttempt.get()).childKey("psp"));
        });
        assertThatThrownBy(() -> shop.order("b", () -> exchange(url).named(" ")))
                .hasMessageContaining("io.onefold.call is blank");
    }

    @Test
    void calls_are_told_apart_by_method_host_and_path() {
        ChildKeyRules all = ChildKeyRules.standard().methods("post", "put", "PATCH", "DELETE");
        RestClient client = rest().mutate()
                .requestInterceptors(added -> {
                    added.clear();
                    added.add(new ChildKeyHttpInterceptor(all));
                })
                .build();
        String url = service.url();
        String other = url.replace("localhost", "127.0.0.1");
        Runnable calls = () -> {
            for (String to : List.of(url + "/a", url + "/b", other + "/a", url + "/a?query")) {
                for (HttpMethod method :
                        List.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE)) {
                    client.method(method).uri(to).retrieve().toBodilessEntity();
                }
            }
        };
        shop.order("a", calls);
        List<String> keys = service.keys();
        assertThat(keys).hasSize(16).doesNotHaveDuplicates().doesNotContain("none");
    }

    @Test
    void hosts_whose_names_have_underscores_are_told_apart_too() {
        ChildKeyRules keys = ChildKeyRules.standard();
        List<String> made = new ArrayList<>();
        for (String id : List.of("a", "b")) {
            shop.order("k" + id, () -> {
                for (String url : List.of("http://my_shop:80", "http://my_shop:81", "http://your_shop")) {
                    RequestTemplate template = new RequestTemplate();
                    template.method(feign.Request.HttpMethod.POST);
                    template.uri("/x");
                    template.feignTarget(new Target.HardCodedTarget<>(Feigned.class, url));
                    new ChildKeyFeignInterceptor(keys).apply(template);
                    made.addAll(template.headers().get("Idempotency-Key"));
                }
                Attempt attempt = Objects.requireNonNull(CurrentAttempt.get());
                // whatever the port, which is an instance's own
                assertThat(made).endsWith(attempt.childKey("POST your_shop/x #1"));
                assertThat(made).contains(attempt.childKey("POST my_shop/x #2"));
            });
        }
    }

    @Test
    void outside_of_an_attempt_feign_is_not_asked_where_it_calls() {
        RequestTemplate template = new RequestTemplate();
        template.method(feign.Request.HttpMethod.POST);
        template.feignTarget(new Target.HardCodedTarget<>(Feigned.class, "http://no address at all"));
        new ChildKeyFeignInterceptor().apply(template);
        assertThat(template.headers()).isEmpty();
    }

    @Test
    void other_calls_do_not_move_the_key_of_a_call() {
        String url = service.url();
        RuntimeException again = new IllegalStateException();
        assertThatThrownBy(() -> shop.order("a", () -> {
                    Client.REST_CLIENT.post(url);
                    throw again;
                }))
                .isSameAs(again);
        List<String> alone = service.keys();
        shop.order("a", () -> {
            rest().post().uri(url + "/audit").retrieve().toBodilessEntity();
            Client.REST_CLIENT.post(url);
        });
        assertThat(service.keys()).hasSize(2).endsWith(alone.get(0));
    }

    @Test
    void methods_that_are_safe_or_idempotent_get_no_key_unless_asked_for() {
        String url = service.url();
        shop.order("a", () -> {
            rest().get().uri(url).retrieve().toBodilessEntity();
            rest().put().uri(url).retrieve().toBodilessEntity();
            rest().delete().uri(url).retrieve().toBodilessEntity();
            web().put().uri(url).retrieve().toBodilessEntity().block();
            feign(url, Retryer.NEVER_RETRY).list();
        });
        assertThat(new HashSet<>(service.keys())).containsExactly("none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChildKeyRules.standard().methods("GET"))
                .withMessage("no key can be added to GET; allowed are [DELETE, PATCH, POST, PUT]");
    }

    @Test
    void the_retries_of_feign_keep_the_key() {
        service.failNext(2);
        shop.order("a", () -> feign(service.url(), new Retryer.Default(1, 1, 3)).charge());
        assertThat(service.keys())
                .hasSize(3)
                .doesNotContain("none")
                .satisfies(keys -> assertThat(new HashSet<>(keys)).hasSize(1));
    }

    @Test
    void a_mono_finds_its_attempt_on_other_threads_and_keeps_its_keys() {
        Mono<String> call =
                web().post().uri(service.url() + "/charges").retrieve().bodyToMono(String.class);
        Mono<String> twice = Mono.just("").publishOn(Schedulers.parallel()).flatMap(any -> call.then(call));
        service.failNext(1);
        assertThatThrownBy(() -> shop.later("a", twice).block()).isInstanceOf(Exception.class);
        List<String> failed = service.keys();
        assertThat(failed).hasSize(1).doesNotContain("none");
        shop.later("a", twice).block();
        assertThat(service.keys()).hasSize(2).doesNotHaveDuplicates().startsWith(failed.get(0));
        twice.block();
        assertThat(service.keys()).containsExactly("none", "none");
    }

    @Test
    void a_mono_inside_of_another_with_the_same_record_is_part_of_it() {
        Mono<String> recursive = Mono.defer(() -> shop.later("same", Mono.just("inner")));
        assertThat(shop.later(
                                "same",
                                Mono.just("").publishOn(Schedulers.parallel()).flatMap(any -> recursive))
                        .block())
                .isEqualTo("inner");
    }

    @Test
    void the_key_shows_nothing_of_the_record() {
        shop.order("customer-7", () -> Client.REST_CLIENT.post(service.url()));
        RecordId id = RecordId.of("", "order", "customer-7");
        assertThat(service.keys())
                .allSatisfy(key -> assertThat(key)
                        .doesNotContain("customer-7")
                        .doesNotContain(id.uuid().toString())
                        .doesNotContain(id.safe()));
    }
}
