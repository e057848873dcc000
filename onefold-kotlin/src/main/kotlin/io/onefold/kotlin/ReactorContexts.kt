package io.onefold.kotlin

import io.onefold.Attempt
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.reactor.asCoroutineContext
import reactor.util.context.Context

/** Whether coroutines and Reactor know of each other here. */
internal val REACTOR: Boolean =
    try {
        Class.forName("kotlinx.coroutines.reactor.ReactorContext", false, CurrentAttemptElement::class.java.classLoader)
        true
    } catch (_: ClassNotFoundException) {
        false
    }

/** Attempts in the context of Reactor, where `WebClient` and annotated functions look for them. */
internal object ReactorContexts {
    /** The same as Spring's `CurrentAttempt.CONTEXT`. */
    internal const val KEY: String = "io.onefold.attempt"

    fun attempt(context: CoroutineContext): Attempt? =
        context[ReactorContext]?.context?.let { if (it.hasKey(KEY)) it.get<Attempt>(KEY) else null }

    fun with(context: CoroutineContext, attempt: Attempt): CoroutineContext =
        context + (context[ReactorContext]?.context ?: Context.empty()).put(KEY, attempt).asCoroutineContext()
}
