package io.onefold.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.onefold.spring.Idempotent;
import io.onefold.spring.NotIdempotent;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.service.annotation.PostExchange;

class OnefoldRulesTest {
    private static final JavaClasses ALL =
            new ClassFileImporter().importClasses(OnefoldRulesTest.class.getDeclaredClasses());

    @Test
    void handlers_that_are_idempotent_or_say_why_not_are_fine() {
        assertThat(wrong(Good.class, GoodAsAWhole.class, Inheriting.class, NoController.class))
                .isEmpty();
    }

    @Test
    void posts_and_patches_that_nothing_protects_are_found_and_told_what_to_do() {
        assertThat(wrong(Bad.class))
                .hasSize(6)
                .anyMatch(line -> line.endsWith("Bad.post() handles POST and is not idempotent; make it @Idempotent,"
                        + " or say @NotIdempotent(\"why\")"))
                .anyMatch(line -> line.contains("Bad.patch() handles PATCH"))
                .anyMatch(line -> line.contains("Bad.mapped() handles POST, PUT"))
                .anyMatch(line -> line.contains("Bad.all() handles requests of every method, because it names none"))
                .anyMatch(line -> line.contains("Bad.exchange() handles POST"))
                .anyMatch(line -> line.contains("Bad.blank() handles POST and is @NotIdempotent without saying why"));
    }

    @Test
    void methods_of_the_class_count() {
        assertThat(wrong(Posting.class)).singleElement().asString().contains("Posting.create() handles POST");
    }

    @Test
    void mappings_may_be_inherited_or_composed() {
        assertThat(wrong(Forgetful.class))
                .hasSize(2)
                .anyMatch(line -> line.contains("Forgetful.create(java.lang.Object) handles POST"))
                .anyMatch(line -> line.contains("Forgetful.inherited() handles POST"));
        assertThat(wrong(Composed.class)).singleElement().asString().contains("Composed.create() handles POST");
    }

    @Test
    void other_methods_may_be_asked_for() {
        assertThat(wrong(OnefoldArchRules.handlersAreIdempotent("PUT", "DELETE"), Bad.class))
                .hasSize(4)
                .anyMatch(line -> line.contains("Bad.put() handles PUT"))
                .anyMatch(line -> line.contains("Bad.delete() handles DELETE"))
                .anyMatch(line -> line.contains("Bad.mapped()"))
                .anyMatch(line -> line.contains("Bad.all()"));
        assertThatThrownBy(() -> OnefoldArchRules.handlersAreIdempotent("post")).hasMessageContaining("not [post]");
        assertThatThrownBy(OnefoldArchRules::handlersAreIdempotent).hasMessageContaining("not []");
    }

    @Test
    void the_rule_says_what_it_wants_and_why() {
        assertThat(OnefoldArchRules.MUTATING_HANDLERS_ARE_IDEMPOTENT.getDescription())
                .isEqualTo("classes that are controllers should handle PATCH and POST idempotently, or say why not,"
                        + " because a request that is sent twice is to be carried out once");
    }

    @Test
    void where_there_are_no_controllers_the_rule_has_looked_in_the_wrong_place() {
        assertThatThrownBy(() -> OnefoldArchRules.MUTATING_HANDLERS_ARE_IDEMPOTENT.check(only(NoController.class)))
                .hasMessageContaining("failed to check any classes");
    }

    private static List<String> wrong(Class<?>... classes) {
        return wrong(OnefoldArchRules.MUTATING_HANDLERS_ARE_IDEMPOTENT, classes);
    }

    private static List<String> wrong(ArchRule rule, Class<?>... classes) {
        return rule.evaluate(only(classes)).getFailureReport().getDetails();
    }

    private static JavaClasses only(Class<?>... classes) {
        List<String> names = Arrays.stream(classes).map(Class::getName).toList();
        return ALL.that(DescribedPredicate.describe("are " + names, type -> names.contains(type.getName())));
    }

    @RestController
    @RequestMapping("/good")
    static class Good {
        @PostMapping
        @Idempotent
        void post() {}

        @PatchMapping
        @Paying
        void composed() {}

        @RequestMapping(method = RequestMethod.POST, path = "/search")
        @NotIdempotent("only reads")
        void excused() {}

        @PostMapping("/old")
        @io.onefold.spring.legacy.Idempotent
        void old() {}

        @GetMapping
        void get() {}

        @RequestMapping(method = RequestMethod.GET)
        void mapped() {}

        void helper() {}
    }

    @Controller
    @NotIdempotent("counts visits, and twice does no harm")
    static class GoodAsAWhole {
        @PostMapping
        void post() {}
    }

    @Controller
    static class Bad {
        @PostMapping
        void post() {}

        @PatchMapping
        void patch() {}

        @PutMapping
        void put() {}

        @DeleteMapping
        void delete() {}

        @RequestMapping(method = {RequestMethod.POST, RequestMethod.PUT})
        void mapped() {}

        @RequestMapping
        void all() {}

        @PostExchange
        void exchange() {}

        @PostMapping
        @NotIdempotent(" ")
        void blank() {}
    }

    @RestController
    @RequestMapping(method = RequestMethod.POST)
    static class Posting {
        @RequestMapping("/create")
        void create() {}
    }

    interface Api<T> {
        @PostMapping
        void create(T what);
    }

    abstract static class Base {
        @PostMapping
        public void inherited() {}
    }

    @RestController
    static class Forgetful extends Base implements Api<String> {
        @Override
        public void create(String what) {}
    }

    @RestController
    static class Inheriting extends Base implements Api<String> {
        @Override
        @Idempotent
        public void create(String what) {}

        @Override
        @Idempotent
        public void inherited() {}
    }

    @RestController
    static class Composed {
        @Creating
        void create() {}
    }

    static class NoController {
        @PostMapping
        void post() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @Idempotent(operation = "pay")
    @interface Paying {}

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @RequestMapping(method = RequestMethod.POST, path = "/create")
    @interface Creating {}
}
