package io.onefold.spring.boot;

import io.onefold.http.contract.AdapterFixture;
import io.onefold.http.contract.AdapterRemarks;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.CaseStore;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;

/** The business as joined handlers of an application on Spring Boot, with the starter's own filter before them. */
final class JoinedBootDoor extends BootDoor {
    private final @Nullable JoinedBootDoor leased;

    private JoinedBootDoor(
            String name,
            Class<?> handling,
            Consumer<GenericApplicationContext> server,
            @Nullable JoinedBootDoor leased) {
        super(name, handling, server);
        this.leased = leased;
    }

    /** See {@link BootDoor#of}. */
    static <F> JoinedBootDoor joined(String name, Class<?> handling, Class<F> type, Supplier<F> server) {
        Consumer<GenericApplicationContext> serving = context -> context.registerBean(type, server);
        return new JoinedBootDoor(name, handling, serving, new JoinedBootDoor(name, handling, serving, null));
    }

    @Override
    Class<?> business() {
        return leased == null ? JoinedBusiness.class : Joining.class;
    }

    @Override
    public AdapterFixture leased() {
        return leased == null ? this : leased;
    }

    @Override
    public Optional<String> notApplicable(String caseName) {
        return AdapterRemarks.notJoined(caseName);
    }

    @Override
    public String told(String caseName) {
        return AdapterRemarks.joined(caseName);
    }

    @Override
    void close() {
        super.close();
        if (leased != null) {
            leased.close();
        }
    }

    @Override
    void register(GenericApplicationContext context, AdapterSetup setting) {
        JoinedBusiness.register(context, setting);
    }

    @Override
    public CaseStore store() {
        return JoinedStore.open();
    }

    @Override
    public boolean joins() {
        return true;
    }

    @Configuration(proxyBeanMethods = false)
    @Import(JoinedBusiness.class)
    @ImportAutoConfiguration(TransactionSupportAutoConfiguration.class)
    static class Joining {}
}
