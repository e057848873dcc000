package io.onefold.spring.boot;

import io.onefold.spring.boot.OnefoldProperties.StoreKind;
import java.util.Arrays;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Asks {@code onefold.store}. */
final class OnStoreCondition extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        StoreKind[] wanted =
                metadata.getAnnotations().get(ConditionalOnStore.class).getEnumArray("value", StoreKind.class);
        StoreKind chosen = Binder.get(context.getEnvironment())
                .bind("onefold.store", StoreKind.class)
                .orElse(StoreKind.AUTO);
        ConditionMessage message =
                ConditionMessage.forCondition(ConditionalOnStore.class).because("onefold.store is " + chosen);
        return new ConditionOutcome(Arrays.asList(wanted).contains(chosen), message);
    }
}
