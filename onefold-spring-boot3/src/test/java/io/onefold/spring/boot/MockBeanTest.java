package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.mock.mockito.MockBean;
import org.springframework.boot.test.mock.mockito.SpyBean;

/** The annotations that Spring Boot 3 has of its own; those of Spring are tested on both generations. */
@SuppressWarnings({"deprecation", "removal"}) // as long as there are applications that use them
@SpringBootTest(
        classes = ReplacedBeansTest.Application.class,
        webEnvironment = WebEnvironment.NONE,
        properties = "onefold.store=memory")
class MockBeanTest {
    @MockBean
    private ReplacedBeansTest.Mocked mocked;

    @SpyBean
    private ReplacedBeansTest.Spied spied;

    @Test
    void a_mock_takes_the_place_of_an_annotated_bean_and_a_spy_is_protected_as_what_it_looks_at() {
        when(mocked.run("a")).thenReturn(7);
        assertThat(mocked.run("a")).isEqualTo(7);
        assertThat(spied.run("a")).isEqualTo(1);
        assertThat(spied.run("a")).isEqualTo(1);
        verify(spied, times(1)).run("a");
    }
}
