package io.onefold.kotlin

import io.onefold.Key
import io.onefold.Onefold
import io.onefold.Operation
import io.onefold.spring.Idempotent
import io.onefold.store.MemoryStore
import java.lang.reflect.Method
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** What is left where coroutines and Reactor do not know of each other. */
class WithoutReactorTest {
    open class Shop {
        @Idempotent(key = "#id")
        open suspend fun pay(id: String): String = id
    }

    class Call : () -> String {
        override fun invoke(): String = runBlocking {
            val onefold = Onefold.on(MemoryStore())
            onefold.runSuspending(Operation.of("charge", String::class.java), Key.of("k")) { attempt ->
                delay(1)
                "reactor $REACTOR, same ${currentAttempt() === attempt}"
            }!!
        }
    }

    @Test
    fun suspending_calls_need_no_reactor() {
        val call = Without().loadClass(Call::class.java.name).getConstructor().newInstance()
        @Suppress("UNCHECKED_CAST")
        assertThat((call as () -> String)()).isEqualTo("reactor false, same true")
        assertThat(Call()()).isEqualTo("reactor true, same true")
    }

    @Test
    fun annotated_functions_that_suspend_are_refused_with_what_to_do_instead() {
        assertThat(trouble(javaClass.classLoader)).isNull()
        assertThat(trouble(Without()))
            .contains("kotlinx-coroutines-reactor")
            .contains("runSuspending or attemptSuspending of onefold-kotlin")
    }

    /** What the start of an application would say. */
    private fun trouble(loader: ClassLoader): String? {
        val pay = Shop::class.java.methods.single { it.name == "pay" }
        return Class.forName("io.onefold.spring.ReturnType", true, loader)
            .getDeclaredMethod("trouble", Method::class.java, Class::class.java, Boolean::class.javaPrimitiveType)
            .apply { isAccessible = true }
            .invoke(null, pay, Shop::class.java, false) as String?
    }

    /** Loads our classes anew, without what joins coroutines and Reactor. */
    private class Without : ClassLoader(WithoutReactorTest::class.java.classLoader) {
        override fun loadClass(name: String, resolve: Boolean): Class<*> {
            if (name.startsWith("kotlinx.coroutines.reactor.")) throw ClassNotFoundException(name)
            if (!name.startsWith("io.onefold.kotlin.") && !name.startsWith("io.onefold.spring.")) {
                return super.loadClass(name, resolve)
            }
            return findLoadedClass(name) ?: define(name)
        }

        private fun define(name: String): Class<*> {
            val file = getResourceAsStream(name.replace('.', '/') + ".class") ?: throw ClassNotFoundException(name)
            val bytes = file.use { it.readAllBytes() }
            return defineClass(name, bytes, 0, bytes.size)
        }
    }
}
