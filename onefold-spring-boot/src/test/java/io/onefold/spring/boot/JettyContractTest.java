package io.onefold.spring.boot;

import io.onefold.http.contract.Business;
import io.onefold.http.contract.BusinessServlet;
import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Without Spring MVC: filters stand before any servlet. */
class JettyContractTest extends DoorContract {
    @Override
    protected DoorFixture fixture() {
        return BootDoor.of(
                "starter in Jetty",
                Plain.class,
                JettyServletWebServerFactory.class,
                () -> new JettyServletWebServerFactory(0));
    }

    @Configuration(proxyBeanMethods = false)
    static class Plain {
        @Bean
        ServletRegistrationBean<BusinessServlet> business(Business business) {
            ServletRegistrationBean<BusinessServlet> servlet =
                    new ServletRegistrationBean<>(new BusinessServlet(business), "/");
            servlet.setAsyncSupported(true);
            return servlet;
        }
    }
}
