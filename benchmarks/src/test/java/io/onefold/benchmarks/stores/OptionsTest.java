package io.onefold.benchmarks.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {
    @Test
    void without_options_everything_is_measured() {
        Options options = Options.parse(List.of());
        assertThat(options.quick()).isFalse();
        assertThat(options.works()).containsExactly("first", "replay", "mix", "hot", "joined", "bytes", "growth");
        assertThat(options.databases()).containsExactly("postgresql", "mariadb", "sqlite", "redis");
    }

    @Test
    void what_is_chosen_is_measured() {
        Options options = Options.parse(List.of("--quick", "--only", "first,bytes", "--db", "sqlite,redis"));
        assertThat(options.quick()).isTrue();
        assertThat(options.works()).containsExactly("first", "bytes");
        assertThat(options.databases()).containsExactly("sqlite", "redis");
    }

    @Test
    void what_is_not_known_is_refused() {
        assertThatThrownBy(() -> Options.parse(List.of("--fast"))).hasMessage("bench knows no option \"--fast\"");
        assertThatThrownBy(() -> Options.parse(List.of("--db", "oracle")))
                .hasMessage("--db knows no \"oracle\", only postgresql,mariadb,sqlite,redis");
        assertThatThrownBy(() -> Options.parse(List.of("--only")))
                .hasMessageStartingWith("--only needs some of first,");
    }
}
