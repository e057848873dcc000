package io.onefold.redis;

import io.onefold.store.BatchItemResult;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A claim or a change on its way. */
final class BatchItem<T> {
    private final Supplier<ScriptCall> asked;
    private final ReplyReader<T> reading;
    private @Nullable BatchItemResult<T> answer;

    /** Makes an answer of what was said about one record. */
    interface ReplyReader<T> {
        T of(long now, @Nullable Object said);
    }

    BatchItem(Supplier<ScriptCall> asked, ReplyReader<T> reading) {
        this.asked = asked;
        this.reading = reading;
    }

    /** Null if it cannot be asked at all: a payload that cannot be written, say. */
    @Nullable
    ScriptCall call() {
        try {
            return asked.get();
        } catch (RuntimeException e) {
            answer = BatchItemResult.failed(e);
            return null;
        }
    }

    void hear(long now, @Nullable Object said) {
        answer = said instanceof RuntimeException failure
                ? BatchItemResult.failed(failure)
                : BatchItemResult.from(() -> reading.of(now, said));
    }

    BatchItemResult<T> answer() {
        return Objects.requireNonNull(answer, "an item without an answer");
    }
}
