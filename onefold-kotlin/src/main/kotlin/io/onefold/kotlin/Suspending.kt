package io.onefold.kotlin

import io.onefold.Attempt
import io.onefold.Key
import io.onefold.Onefold
import io.onefold.Operation
import io.onefold.Outcome
import java.util.concurrent.CompletionException
import java.util.concurrent.CompletionStage
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.future.await
import kotlinx.coroutines.future.future

/** As [Onefold.run] for work that suspends: its result, from this execution or the first. See [attemptSuspending]. */
public suspend fun <T : Any> Onefold.runSuspending(
    operation: Operation<T>,
    key: Key,
    work: suspend (Attempt) -> T?,
): T? = Onefold.value(operation, key, attemptSuspending(operation, key, work))

/**
 * As [Onefold.attempt] for work that suspends: what became of the request. No thread is held, neither while the work runs nor while a
 * duplicate waits for it.
 *
 * The work runs in the context of its caller, but is not its child: a caller that is cancelled stops waiting, while the work goes on
 * to its end, which is recorded. Its exceptions pass as they are.
 */
public suspend fun <T : Any> Onefold.attemptSuspending(
    operation: Operation<T>,
    key: Key,
    work: suspend (Attempt) -> T?,
): Outcome<T> {
    val callers = currentCoroutineContext().minusKey(Job)
    val answer = attemptAsync(operation, key) { attempt ->
        val running: CompletionStage<T?> =
            CoroutineScope(callers.at(attempt)).future { work(attempt) }
        @Suppress("UNCHECKED_CAST") // null is a result like others
        running as CompletionStage<T>
    }
    // told as a value: a stage that is awaited is cancelled with its caller, and its exception may be replaced by a copy
    val ended = answer.handle { outcome, thrown -> Ended(outcome, thrown) }.await()
    return ended.outcome ?: throw ended.cause()
}

private class Ended<T : Any>(val outcome: Outcome<T>?, private val thrown: Throwable?) {
    fun cause(): Throwable = (thrown as? CompletionException)?.cause ?: thrown ?: IllegalStateException("no outcome")
}
