package io.onefold.spring;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Checks that a listener can be made idempotent. */
final class ListenerCheck {
    private static final String RETRYABLE = "org.springframework.kafka.annotation.RetryableTopic";
    private static final String RECORDS = "org.apache.kafka.clients.consumer.ConsumerRecords";
    private static final Set<String> ACKNOWLEDGING =
            Set.of("org.springframework.kafka.support.Acknowledgment", "com.rabbitmq.client.Channel");

    private ListenerCheck() {}

    /** The reason why a listener cannot be made idempotent; null if it can. */
    static @Nullable String trouble(
            Method method,
            Class<?> type,
            InvocationSource door,
            IdempotentMetadata declared,
            MessageResolver messages) {
        if (!door.listens()) {
            return null;
        }
        if (messages == MessageResolver.NONE) {
            return "listens to messages, but nothing finds them: import"
                    + " io.onefold.spring.message.ListenerConfiguration";
        }
        String early = returnsEarly(method, type, door);
        if (early != null) {
            return "goes on after it has returned, " + early;
        }
        MergedAnnotations onMethod = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotations onType = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY);
        boolean retries = onMethod.isPresent(RETRYABLE) || onType.isPresent(RETRYABLE);
        if (retries && declared.scope().isEmpty()) {
            return "is retried on other topics by other groups, where its keys would be new: say with scope whose they"
                    + " are, for instance scope = \"'orders'\"";
        }
        // one method may have several annotations, each with its own container
        MergedAnnotations listening = onMethod.isPresent(door.annotation()) ? onMethod : onType;
        return listening.stream(door.annotation())
                .map(listener -> trouble(method, door, listener, messages))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The reason why messages would be lost if their work fails after the method has returned; null if they would not. */
    private static @Nullable String returnsEarly(Method method, Class<?> type, InvocationSource door) {
        ReturnType.AsyncWrapper carrier = ReturnType.of(method, type).carrier();
        if (carrier == ReturnType.AsyncWrapper.NONE && !SuspendingFunctions.is(method)) {
            return null;
        }
        if (door == InvocationSource.KAFKA) {
            return "but Spring Kafka acknowledges the record even if that fails, and then it may be lost: let it wait for the end, with"
                    + " join() or block(), and return the value, or nothing";
        }
        boolean unknown = carrier == ReturnType.AsyncWrapper.FLUX || method.getReturnType() == CompletionStage.class;
        return unknown
                ? "but its container acknowledges the message at once: let it return a CompletableFuture or a Mono, for which that waits"
                : null;
    }

    private static @Nullable String trouble(
            Method method, InvocationSource door, MergedAnnotation<?> listener, MessageResolver messages) {
        String batch = said(listener, "batch");
        boolean many = takesMany(method) || messages.isBatch(door, said(listener, "containerFactory"));
        if (batch.equals("true") || (!batch.equals("false") && many)) {
            return "takes a batch of messages, of which each has a key of its own: let it take one message at a time; or,"
                    + " if a single message holds them all, say so with batch = \"false\"";
        }
        String ackMode = said(listener, "ackMode");
        if (acknowledges(method) || ackMode.equals("MANUAL")) {
            return "acknowledges its messages by itself, but is not called for duplicates, which nobody would acknowledge:"
                    + " leave that to the container, without an argument for it";
        }
        return messages.trouble(door, said(listener, "containerFactory"), ackMode);
    }

    private static String said(MergedAnnotation<?> listener, String attribute) {
        return listener.getValue(attribute, String.class).orElse("");
    }

    private static boolean takesMany(Method method) {
        for (Class<?> parameter : method.getParameterTypes()) {
            if (Iterable.class.isAssignableFrom(parameter)
                    || parameter.getName().equals(RECORDS)) {
                return true;
            }
        }
        return false;
    }

    private static boolean acknowledges(Method method) {
        for (Class<?> parameter : method.getParameterTypes()) {
            if (ACKNOWLEDGING.contains(parameter.getName())) {
                return true;
            }
        }
        return false;
    }
}
