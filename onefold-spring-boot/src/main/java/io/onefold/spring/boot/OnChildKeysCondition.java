package io.onefold.spring.boot;

import io.onefold.spring.boot.ClientProperties.ChildKeyCalls;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Asks {@code onefold.clients.child-keys}. */
final class OnChildKeysCondition extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean unnamed =
                metadata.getAnnotations().get(ConditionalOnChildKeys.class).getBoolean("unnamed");
        ChildKeyCalls chosen = Binder.get(context.getEnvironment())
                .bind("onefold.clients.child-keys", ChildKeyCalls.class)
                .orElse(ChildKeyCalls.NAMED);
        ConditionMessage message = ConditionMessage.forCondition(ConditionalOnChildKeys.class)
                .because("onefold.clients.child-keys is " + chosen);
        return new ConditionOutcome(unnamed ? chosen == ChildKeyCalls.ALL : chosen != ChildKeyCalls.NONE, message);
    }
}
