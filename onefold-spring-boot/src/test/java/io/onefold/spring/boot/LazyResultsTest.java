package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.onefold.ResultNotKeptException;
import io.onefold.spring.Idempotent;
import io.onefold.spring.TransactionMode;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.PersistenceContext;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.Hibernate;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Results of Hibernate's that are not loaded whole. To look whether they read back as themselves must not load them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LazyResultsTest {
    private final Running application = Running.start(
            Lazy.class,
            "--spring.jpa.hibernate.ddl-auto=create",
            "--spring.jpa.open-in-view=true",
            "--spring.jpa.properties.hibernate.generate_statistics=true");
    private final Shelves shelves = application.bean(Shelves.class);
    private final Statistics statistics = application
            .bean(EntityManagerFactory.class)
            .unwrap(SessionFactory.class)
            .getStatistics();

    @BeforeEach
    void fill() {
        JdbcTemplate jdbc = application.bean(JdbcTemplate.class);
        if (!Boolean.TRUE.equals(
                jdbc.queryForObject("select count(*) > 0 from lazy_shelf where id = 's'", Boolean.class))) {
            jdbc.update("insert into lazy_shelf (id) values ('top')");
            jdbc.update("insert into lazy_shelf (id, above_id) values ('s', 'top')");
            jdbc.update("insert into lazy_book (id, shelf_id) values ('b', 's')");
        }
        statistics.clear();
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private void nothingIsLoaded() {
        assertThat(statistics.getCollectionLoadCount()).isZero();
        assertThat(statistics.getEntityFetchCount()).isZero();
    }

    @Test
    void in_the_transaction_of_a_method_nothing_is_loaded_and_the_result_is_done_but_not_kept() {
        LazyShelf first = shelves.joined("1", "s");
        assertThat(first.id()).isEqualTo("s");
        assertThat(Hibernate.isInitialized(first.books())).isFalse();
        assertThat(Hibernate.isInitialized(first.above())).isFalse();
        nothingIsLoaded();
        int runs = shelves.runs();
        assertThatThrownBy(() -> shelves.joined("1", "s")).isInstanceOf(ResultNotKeptException.class);
        assertThat(shelves.runs()).isEqualTo(runs);
    }

    @Test
    void without_a_session_nothing_fails_and_the_result_is_done_but_not_kept() {
        LazyShelf first = shelves.leased("2", "s");
        assertThat(first.id()).isEqualTo("s");
        nothingIsLoaded();
        int runs = shelves.runs();
        assertThatThrownBy(() -> shelves.leased("2", "s")).isInstanceOf(ResultNotKeptException.class);
        assertThat(shelves.runs()).isEqualTo(runs);
    }

    @Test
    void of_a_handler_the_response_is_kept_and_nothing_is_loaded() throws Exception {
        HttpResponse<String> first = application.post("/shelves?id=s", "3", "");
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("{\"id\":\"s\"}");
        nothingIsLoaded();
        int runs = shelves.runs();
        HttpResponse<String> second = application.post("/shelves?id=s", "3", "");
        assertThat(second.statusCode()).as(second.body()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(shelves.runs()).isEqualTo(runs);
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Theatre.class, Shelves.class, Controller.class})
    static class Lazy {}

    static class Shelves {
        @PersistenceContext
        private @Nullable EntityManager session;

        private final AtomicInteger runs = new AtomicInteger();

        public LazyShelf find(String id) {
            runs.incrementAndGet();
            return Objects.requireNonNull(session).find(LazyShelf.class, id);
        }

        public int runs() {
            return runs.get();
        }

        @Transactional
        @Idempotent(operation = "joined-shelf", key = "#key")
        public LazyShelf joined(String key, String id) {
            return find(id);
        }

        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        @Idempotent(operation = "leased-shelf", key = "#key", mode = TransactionMode.LEASED)
        public LazyShelf leased(String key, String id) {
            return find(id);
        }
    }

    @RestController
    static class Controller {
        private final Shelves shelves;

        Controller(Shelves shelves) {
            this.shelves = shelves;
        }

        @Transactional
        @PostMapping("/shelves")
        @Idempotent(operation = "shelf-of-handler")
        public LazyShelf shelf(@RequestParam String id) {
            return shelves.find(id);
        }
    }
}

/** What it holds is loaded when it is asked for, and no client sees it. */
@Entity
class LazyShelf {
    @Id
    private String id = "";

    @JsonIgnore
    @OneToMany(mappedBy = "shelf", fetch = FetchType.LAZY)
    private List<LazyBook> books = new ArrayList<>();

    @JsonIgnore
    @ManyToOne(fetch = FetchType.LAZY)
    private @Nullable LazyShelf above;

    public String getId() {
        return id;
    }

    public void setId(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    List<LazyBook> books() {
        return books;
    }

    @Nullable
    LazyShelf above() {
        return above;
    }
}

@Entity
class LazyBook {
    @Id
    private String id = "";

    @ManyToOne(fetch = FetchType.LAZY)
    private @Nullable LazyShelf shelf;

    protected LazyBook() {}

    @Override
    public String toString() {
        return id + " in " + shelf;
    }
}
