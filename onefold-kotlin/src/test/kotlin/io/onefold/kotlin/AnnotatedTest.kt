package io.onefold.kotlin

import io.onefold.Attempt
import io.onefold.ConflictException
import io.onefold.Key
import io.onefold.Onefold
import io.onefold.Operation
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
    private companion object {
        val INNER: Operation<String> = Operation.of("inner", String::class.java)
    }

    @EnableIdempotent
    open class Basics

    open class Shop {
        open val runs = AtomicInteger()
        open val inside = CompletableDeferred<Unit>()
        open val go = CompletableDeferred<Unit>()

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
            assertThat(context.get<Attempt>(CurrentAttempt.CONTEXT)).isSameAs(currentAttempt())
            return currentAttempt()!!.childKey("psp")
        }

        @Idempotent(operation = "around", key = "#id", matching = "''")
        open suspend fun around(id: String, onefold: Onefold): String {
            delay(1)
            val inner = onefold.runSuspending(INNER, Key.of(id)) { currentAttempt()!!.operation() }
            return inner + " in " + currentAttempt()!!.operation()
        }

        @Idempotent(operation = "same", key = "#id", matching = "''")
        open suspend fun same(id: String, again: Shop?): String {
            delay(1)
            return again?.same(id, null) ?: currentAttempt()!!.operation()
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
        assertThrows<ConflictException> { shop.pay("k", 4) }
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
    fun the_attempt_of_each_coroutine_is_that_which_it_is_in() = runBlocking {
        val onefold = context.getBean(Onefold::class.java)
        assertThat(shop.around("k", Onefold.on(MemoryStore()))).isEqualTo("inner in around")
        val outer = onefold.runSuspending(INNER, Key.of("k")) {
            shop.child("k")
            "${currentAttempt()!!.operation()} around ${shop.around("other", onefold)}"
        }
        assertThat(outer).isEqualTo("inner around inner in around")
        assertThat(currentAttempt()).isNull()
    }

    @Test
    fun a_call_inside_of_the_one_that_has_the_same_record_is_part_of_it() = runBlocking {
        assertThat(shop.same("k", shop)).isEqualTo("same")
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
        assertThatThrownBy { started(Flows::class.java) }.hasMessageContaining("Flows.all returns a Flow")
        assertThatThrownBy { started(SuspendedFlows::class.java) }
            .hasMessageContaining("SuspendedFlows.all returns a Flow")
        assertThatThrownBy { started(Monos::class.java) }
            .hasMessageContaining("Monos.one suspends and returns a Mono; return what is in it")
    }
}
