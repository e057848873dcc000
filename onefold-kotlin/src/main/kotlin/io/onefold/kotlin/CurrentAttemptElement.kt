package io.onefold.kotlin

import io.onefold.Attempt
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.currentCoroutineContext

/** The attempt that a coroutine is at work on; those that it starts inherit it. */
public class CurrentAttemptElement(public val attempt: Attempt) :
    AbstractCoroutineContextElement(CurrentAttemptElement) {
    public companion object Key : CoroutineContext.Key<CurrentAttemptElement>
}

/**
 * The attempt that this coroutine is at work on, for keys of calls to others; null outside of one. It is found in functions with
 * Spring's `@Idempotent` as well.
 */
public suspend fun currentAttempt(): Attempt? {
    val context = currentCoroutineContext()
    // where there is Reactor, its context has every attempt, those of annotated functions too: so it has the innermost
    val reactive = if (REACTOR) ReactorContexts.attempt(context) else null
    return reactive ?: context[CurrentAttemptElement]?.attempt
}

/** This context with an attempt to work on. */
internal fun CoroutineContext.at(attempt: Attempt): CoroutineContext {
    val own = this + CurrentAttemptElement(attempt)
    return if (REACTOR) ReactorContexts.with(own, attempt) else own
}
