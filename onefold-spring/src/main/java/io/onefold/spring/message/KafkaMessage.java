package io.onefold.spring.message;

import io.onefold.spring.MessageResolver;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.KafkaUtils;

/**
 * A record of Kafka.
 *
 * @param deadLetters null if nothing is known of its container
 */
record KafkaMessage(ConsumerRecord<?, ?> received, @Nullable KafkaDeadLetters deadLetters)
        implements MessageResolver.ListenerMessage {

    static MessageResolver.@Nullable ListenerMessage of(@Nullable Object[] arguments) {
        ConsumerRecord<?, ?> found = CurrentMessage.find(ConsumerRecord.class, arguments);
        if (found != null) {
            return new KafkaMessage(found, CurrentMessage.consumer(KafkaDeadLetters.class));
        }
        Map<String, Object> mapped = MappedMessage.headers(arguments);
        return mapped == null
                ? null
                : new MappedMessage(mapped, List.of(KafkaHeaders.GROUP_ID, KafkaHeaders.RECEIVED_TOPIC));
    }

    @Override
    public List<String> headers(String name) {
        List<String> values = new ArrayList<>();
        for (Header header : received.headers().headers(name)) {
            values.addAll(HeaderTexts.of(header.value()));
        }
        return values;
    }

    @Override
    public List<String> scope() {
        // the container tells its threads the group; a consumer with assigned partitions may have none
        String group = KafkaUtils.getConsumerGroupId();
        return group == null || group.isBlank() ? List.of(received.topic()) : List.of(group, received.topic());
    }

    @Override
    public MessageResolver.GiveUpResult giveUp(Map<String, String> why) {
        if (deadLetters == null || !deadLetters.exist()) {
            return MessageResolver.GiveUpResult.NOT;
        }
        why.forEach((name, value) -> received.headers().remove(name).add(name, value.getBytes(StandardCharsets.UTF_8)));
        return MessageResolver.GiveUpResult.BY_REFUSAL;
    }
}
