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

/** The attempt that this coroutine is at work on, for keys of calls to others; null outside of one. */
public suspend fun currentAttempt(): Attempt? = currentCoroutineContext()[CurrentAttemptElement]?.attempt
