package io.onefold.kotlin

import io.onefold.Attempt
import io.onefold.Onefold
import io.onefold.spring.CurrentAttempt
import io.onefold.spring.EnableIdempotent
import io.onefold.spring.Idempotent
import io.onefold.store.MemoryStore
import java.io.IOException
import java.util.concurrent.atomic.AtomicInteger
import java.util.function.Supplier
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.springframework.context.annotation.AnnotationConfigApplicationContext
import reactor.core.publisher.Mono

/** `@Idempotent` on functions that suspend. */
class AnnotatedTest {
    @EnableIdempotent
    open class Basics

    open class Shop {
        val runs = AtomicInteger()
        val inside = CompletableDeferred<Unit>()
        val go = CompletableDeferred<Unit>()

        @Idempotent(operation = "pay", key = "#id")
        open suspend fun pay(id: String, amount: Int): String {
            delay(5)
            return "$id $amount ${runs.incrementAndGet()}"
        }

        @Idempotent(operation = "send", key = "#id")
        open suspend fun send(id: String) {
            runs.incrementAndGet()
        }

        @Idempotent(operation = "find", key = "#id")
        open suspend fun find(id: String): String? {
            runs.incrementAndGet()
            return null
        }

        @Idempotent(operation = "count", key = "#id")
        open suspend fun count(id: String): List<Long> = listOf(runs.incrementAndGet().toLong())

        @Idempotent(operation = "hold", key = "#id")
        open suspend fun hold(id: String): String {
            inside.complete(Unit)
            go.await()
            return "held ${runs.incrementAndGet()}"
        }

        @Idempotent(operation = "fail", key = "#id", retryOn = [IOException::class])
        open suspend fun fail(id: String): String {
            delay(1)
            if (runs.incrementAndGet() == 1) throw IOException("refused")
            return "done"
        }

        @Idempotent(operation = "child", key = "#id")
        open suspend fun child(id: String): String {
            delay(1)
            val context = currentCoroutineContext()[ReactorContext]!!.context
            return context.get<Attempt>(CurrentAttempt.CONTEXT).childKey("psp")
        }
    }

    private val context = started(Shop::class.java)
    private val shop = context.getBean(Shop::class.java)

    private fun started(bean: Class<*>) = AnnotationConfigApplicationContext().apply {
        register(Basics::class.java)
        registerBean(Onefold::class.java, Supplier { Onefold.on(MemoryStore()) })
        register(bean)
        refresh()
    }

    @Test
    fun duplicates_get_the_first_result() = runBlocking {
        repeat(2) { assertThat(shop.pay("k", 3)).isEqualTo("k 3 1") }
        repeat(2) { assertThat(shop.count("k")).containsExactly(2L) }
    }

    @Test
    fun nothing_and_null_are_results() = runBlocking {
        repeat(2) {
            shop.send("k")
            assertThat(shop.find("k")).isNull()
        }
        assertThat(shop.runs).hasValue(2)
        Unit
    }

    @Test
    fun other_arguments_under_a_key_are_refused() = runBlocking {
        shop.pay("k", 3)
        assertThrows<io.onefold.ConflictException> { shop.pay("k", 4) }
        Unit
    }

    @Test
    fun work_goes_on_when_its_caller_is_cancelled() = runBlocking {
        val caller = launch { shop.hold("k") }
        shop.inside.await()
        caller.cancelAndJoin()
        shop.go.complete(Unit)
        assertThat(shop.hold("k")).isEqualTo("held 1")
        Unit
    }

    @Test
    fun exceptions_pass_and_may_free_the_key() = runBlocking {
        assertThat(assertThrows<IOException> { shop.fail("k") }).hasMessage("refused")
        assertThat(shop.fail("k")).isEqualTo("done")
        Unit
    }

    @Test
    fun the_attempt_is_in_the_reactor_context() = runBlocking {
        assertThat(shop.child("k")).isEqualTo(shop.child("k")).isNotEqualTo(shop.child("other"))
        Unit
    }

    open class Flows {
        @Idempotent(key = "#id") open fun all(id: String): Flow<String> = flowOf(id)
    }

    open class SuspendedFlows {
        @Idempotent(key = "#id") open suspend fun all(id: String): Flow<String> = flowOf(id)
    }

    open class Monos {
        @Idempotent(key = "#id") open suspend fun one(id: String): Mono<String> = Mono.just(id)
    }

    @Test
    fun what_cannot_be_kept_is_refused_at_the_start() {
        assertThatThrownBy { started(Flows::class.java) }.rootCause().hasMessageContaining("Flows.all returns a Flow")
        assertThatThrownBy { started(SuspendedFlows::class.java) }
            .rootCause().hasMessageContaining("SuspendedFlows.all returns a Flow")
        assertThatThrownBy { started(Monos::class.java) }
            .rootCause().hasMessageContaining("Monos.one suspends and returns a Mono; return what is in it")
    }
}
