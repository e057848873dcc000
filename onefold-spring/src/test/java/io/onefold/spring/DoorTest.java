package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;

/** An interface that is mapped by exchanges is a client's, or a controller's. */
class DoorTest {
    @HttpExchange("/shop/")
    interface Shop {
        @PostExchange("orders/{id:[0-9]+}")
        String order(String id);

        @HttpExchange("/any")
        String any();
    }

    @Controller
    static class Serving implements Shop {
        @Override
        public String order(String id) {
            return id;
        }

        @Override
        public String any() {
            return "";
        }

        @RequestMapping("/beside")
        public String beside() {
            return "";
        }
    }

    private static Method method(String name, Class<?>... arguments) throws NoSuchMethodException {
        return Serving.class.getMethod(name, arguments);
    }

    @Test
    void what_a_controller_serves_are_requests_and_what_a_client_sends_are_calls() throws Exception {
        assertThat(InvocationSource.of(method("order", String.class), Serving.class))
                .isEqualTo(InvocationSource.HTTP);
        assertThat(InvocationSource.of(Shop.class.getMethod("any"), Shop.class)).isEqualTo(InvocationSource.CALL);
    }

    @Test
    void an_exchange_has_the_name_of_its_method_and_path() throws Exception {
        assertThat(HandlerMethods.name(method("order", String.class), Serving.class))
                .isEqualTo("POST /shop/orders/{id}");
        assertThat(HandlerMethods.name(method("any"), Serving.class)).isEqualTo("ANY /shop/any");
        assertThat(HandlerMethods.name(method("beside"), Serving.class)).isEqualTo("ANY /shop/beside");
    }
}
