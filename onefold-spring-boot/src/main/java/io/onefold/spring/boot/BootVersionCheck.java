package io.onefold.spring.boot;

import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** Compares versions before anything is loaded that a wrong one does not have: a missing class would tell nobody why. */
final class BootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext> {
    private static final String THREE = "/io/onefold/spring/boot3/Boot3StoreHealthAutoConfiguration.class";

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        if (context.getEnvironment().getProperty("onefold.enabled", Boolean.class, true)) {
            boolean three = BootVersionCheck.class.getResource(THREE) != null;
            WrongBootException.unlessFits(SpringBootVersion.getVersion(), three);
        }
    }
}
