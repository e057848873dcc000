package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onefold.redis.VoteResult.AlreadyVoted;
import io.onefold.redis.VoteResult.NotVoted;
import io.onefold.redis.VoteResult.Voted;
import io.onefold.redis.VoteResult.VotedDifferently;
import io.onefold.servers.RedisServer;
import io.onefold.servers.TcpProxy;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RedisVotesTest {
    private static final int THREADS = 64;
    private static final RedisEffects EFFECTS =
            RedisEffects.on(RedisConnections.at(RedisServer.shared().uri()));

    private final String name = "poll-" + UUID.randomUUID();
    private final RedisVotes poll = EFFECTS.votes(name);

    @Test
    void each_user_has_one_vote() {
        assertThat(poll.vote("ann", "yes")).isEqualTo(new Voted());
        assertThat(poll.vote("bob", "yes")).isEqualTo(new Voted());
        assertThat(poll.vote("eve", "非")).isEqualTo(new Voted());
        assertThat(poll.vote("ann", "yes")).isEqualTo(new AlreadyVoted());
        assertThat(poll.tally()).containsExactlyInAnyOrderEntriesOf(Map.of("yes", 2L, "非", 1L));
    }

    @Test
    void who_has_voted_otherwise_is_told_and_the_vote_stands() {
        assertThat(poll.vote("ann", "yes")).isEqualTo(new Voted());
        assertThat(poll.vote("ann", "no")).isEqualTo(new VotedDifferently("yes"));
        assertThat(poll.tally()).isEqualTo(Map.of("yes", 1L));
    }

    @Test
    void a_vote_is_changed_from_what_it_is_and_old_ones_that_come_late_do_nothing() {
        assertThat(poll.change("ann", "yes", "no")).isEqualTo(new NotVoted());
        assertThat(poll.tally()).isEmpty();
        assertThat(poll.vote("ann", "yes")).isEqualTo(new Voted());
        assertThat(poll.change("ann", "yes", "no")).isEqualTo(new Voted());
        assertThat(poll.change("ann", "yes", "no")).isEqualTo(new AlreadyVoted());
        assertThat(poll.change("ann", "no", "maybe")).isEqualTo(new Voted());
        assertThat(poll.change("ann", "yes", "no")).isEqualTo(new VotedDifferently("maybe"));
        assertThat(poll.vote("ann", "yes")).isEqualTo(new VotedDifferently("maybe"));
        assertThat(poll.tally()).isEqualTo(Map.of("maybe", 1L));
    }

    @Test
    void of_votes_that_come_many_times_at_once_each_user_counts_once() {
        List<VoteResult> outcomes =
                Together.call(THREADS, i -> poll.vote("user-" + i % 16, i / 16 % 2 == 0 ? "yes" : "no"));
        assertThat(outcomes).filteredOn(new Voted()::equals).hasSize(16);
        assertThat(poll.tally().values().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(16);
    }

    @Test
    void a_vote_whose_answer_was_lost_is_done_and_was_counted_once() {
        try (TcpProxy proxy = TcpProxy.to(RedisServer.shared().port());
                RedisConnections redis = RedisConnections.at("redis://127.0.0.1:" + proxy.port())) {
            RedisVotes far = RedisEffects.on(redis).votes(name);
            assertThat(far.change("so that Redis knows the script", "yes", "no"))
                    .isEqualTo(new NotVoted());
            CompletableFuture<Void> cut = proxy.cutAfterRequestContaining(name.getBytes(UTF_8));
            assertThat(far.vote("ann", "yes")).isEqualTo(new AlreadyVoted());
            assertThat(cut).isCompleted();
            cut = proxy.cutAfterRequestContaining(name.getBytes(UTF_8));
            assertThat(far.change("ann", "yes", "no")).isEqualTo(new AlreadyVoted());
            assertThat(cut).isCompleted();
            assertThat(poll.tally()).isEqualTo(Map.of("no", 1L));
        }
    }

    @Test
    void a_poll_goes_as_a_whole() {
        assertThat(poll.vote("ann", "yes")).isEqualTo(new Voted());
        assertThat(RedisServer.shared().command("KEYS", "*" + name + "*").lines())
                .hasSize(2)
                .allMatch(key -> RedisServer.shared().command("PTTL", key).equals("-1"));
        poll.remove();
        poll.remove();
        assertThat(RedisServer.shared().command("KEYS", "*" + name + "*")).isEmpty();
        assertThat(poll.vote("ann", "no")).isEqualTo(new Voted());
        assertThat(poll.tally()).isEqualTo(Map.of("no", 1L));
    }

    @Test
    void what_makes_no_sense_is_refused_with_its_value() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> poll.vote("", "yes"))
                .withMessageContaining("user");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> poll.vote("ann", " "))
                .withMessageContaining("choice");
        assertThatIllegalArgumentException().isThrownBy(() -> poll.change("ann", "", "yes"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> poll.change("ann", "yes", "yes"))
                .withMessageContaining("\"yes\"");
    }
}
