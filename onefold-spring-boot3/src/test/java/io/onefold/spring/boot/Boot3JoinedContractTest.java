package io.onefold.spring.boot;

import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import org.junit.jupiter.api.AfterAll;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;

/** Each row of the contract where the record is in the transaction of the handler. */
class Boot3JoinedContractTest extends AdapterContract {
    private static final JoinedBootDoor DOOR = JoinedBootDoor.joined(
            "joined in Tomcat 10",
            Tomcat10ContractTest.Mvc3.class,
            TomcatServletWebServerFactory.class,
            Tomcat10ContractTest::server);

    @Override
    protected AdapterFixture fixture() {
        return DOOR;
    }

    @AfterAll
    static void close() {
        DOOR.close();
    }
}
