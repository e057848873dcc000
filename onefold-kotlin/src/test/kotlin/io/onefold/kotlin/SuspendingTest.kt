package io.onefold.kotlin

import io.onefold.InProgressException
import io.onefold.Key
import io.onefold.Onefold
import io.onefold.Operation
import io.onefold.Outcome
import io.onefold.store.MemoryStore
import io.onefold.store.Status
import java.io.IOException
import java.time.Duration
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows

/** What suspending calls promise beyond those that block. */
class SuspendingTest {
    private val onefold = Onefold.on(MemoryStore())
    private val charge = Operation.of("charge", String::class.java).retryOn(IOException::class.java)
    private val key = Key.of("k")
    private val runs = AtomicInteger()

    @Test
    fun duplicates_get_the_first_result() = soon {
        val all = (1..5).map { async(Dispatchers.Default) { onefold.runSuspending(charge, key) { slowly() } } }
        assertThat(all.awaitAll()).containsOnly("run 1")
        assertThat(onefold.attemptSuspending(charge, key) { slowly() }).isEqualTo(Outcome.Replayed("run 1", true))
    }

    private suspend fun slowly(): String {
        delay(20)
        return "run ${runs.incrementAndGet()}"
    }

    @Test
    fun null_is_a_result() = soon {
        repeat(2) {
            assertThat(
                onefold.runSuspending(charge, key) {
                    runs.incrementAndGet()
                    null
                }
            ).isNull()
        }
        assertThat(runs).hasValue(1)
    }

    @Test
    fun exceptions_pass_as_they_are() = soon {
        val failure = IOException("refused")
        val thrown = assertThrows<IOException> {
            onefold.runSuspending(charge, key) {
                delay(1)
                throw failure
            }
        }
        assertThat(thrown).isSameAs(failure)
        // nothing was done, so it may be tried again
        assertThat(onefold.runSuspending(charge, key) { "attempt ${it.number()}" }).isEqualTo("attempt 2")
    }

    @Test
    fun a_time_out_inside_of_the_work_leaves_its_outcome_unknown() = soon {
        assertThrows<TimeoutCancellationException> {
            onefold.runSuspending(charge, key) { withTimeout(1) { awaitCancellation() } }
        }
        assertThat(onefold.find(charge, key).orElseThrow().status()).isEqualTo(Status.UNKNOWN)
    }

    @Test
    fun what_has_no_result_is_an_exception_or_a_value() = soon {
        val impatient = charge.waitFor(Duration.ZERO)
        val inside = CompletableDeferred<Unit>()
        val go = CompletableDeferred<Unit>()
        val first = async {
            onefold.runSuspending(impatient, key) {
                inside.complete(Unit)
                go.await()
                "done"
            }
        }
        inside.await()
        assertThat(onefold.attemptSuspending(impatient, key) { "second" }).isInstanceOf(Outcome.InProgress::class.java)
        assertThrows<InProgressException> { onefold.runSuspending(impatient, key) { "second" } }
        go.complete(Unit)
        assertThat(first.await()).isEqualTo("done")
    }

    @Test
    fun work_goes_on_when_its_caller_is_cancelled() = soon {
        val inside = CompletableDeferred<Unit>()
        val go = CompletableDeferred<Unit>()
        val caller = launch {
            onefold.runSuspending(charge, key) {
                inside.complete(Unit)
                go.await()
                "run ${runs.incrementAndGet()}"
            }
        }
        inside.await()
        caller.cancelAndJoin()
        assertThat(onefold.find(charge, key).orElseThrow().status()).isEqualTo(Status.PROCESSING)
        go.complete(Unit)
        assertThat(onefold.runSuspending(charge, key) { "again" }).isEqualTo("run 1")
    }

    @Test
    fun work_runs_in_the_context_of_its_caller_but_is_not_its_child() {
        val executor = Executors.newSingleThreadExecutor { Thread(it, "callers-own").apply { isDaemon = true } }
        executor.asCoroutineDispatcher().use { own ->
            soon {
                withContext(own + CoroutineName("caller")) {
                    val outer = currentCoroutineContext()[Job]
                    onefold.runSuspending(charge, key) {
                        assertThat(Thread.currentThread().name).startsWith("callers-own")
                        assertThat(currentCoroutineContext()[CoroutineName]).isEqualTo(CoroutineName("caller"))
                        assertThat(outer!!.children.toList()).isEmpty()
                        "done"
                    }
                }
            }
        }
    }

    @Test
    fun the_attempt_is_known_inside_and_in_what_is_started_there() = soon {
        assertThat(currentAttempt()).isNull()
        onefold.runSuspending(charge, key) { attempt ->
            assertThat(currentAttempt()).isSameAs(attempt)
            withContext(Dispatchers.IO) { assertThat(currentAttempt()).isSameAs(attempt) }
            "done"
        }
        assertThat(currentAttempt()).isNull()
    }

    private fun soon(test: suspend CoroutineScope.() -> Unit) =
        runBlocking { withTimeout(20_000, test) }
}
