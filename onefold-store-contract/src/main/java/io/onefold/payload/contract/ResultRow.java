package io.onefold.payload.contract;

import io.onefold.TypeRef;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A result with a feature that a codec may lose, and its expected outcome.
 *
 * @param feature the annotation, or another property of its class
 * @param place the place of the feature: field, getter, constructor, record, subclass, or where the value is
 * @param type the declared type
 * @param fate the outcome with a codec that reads Jackson's annotations; any other may reject it or not keep it
 */
public record ResultRow(String feature, String place, Object value, Type type, ExpectedOutcome fate) {

    /** The outcome of replaying a result. */
    public enum ExpectedOutcome {
        /** The replay is the same value. */
        ALIKE,
        /** The operation is rejected when it is declared. */
        REFUSED,
        /** Duplicates hear that it was done, without the value. */
        NOT_KEPT
    }

    static ResultRow alike(String feature, String place, Object value) {
        return new ResultRow(feature, place, value, value.getClass(), ExpectedOutcome.ALIKE);
    }

    static ResultRow notKept(String feature, String place, Object value) {
        return new ResultRow(feature, place, value, value.getClass(), ExpectedOutcome.NOT_KEPT);
    }

    ResultRow declared(Type as) {
        return new ResultRow(feature, place, value, as, fate);
    }

    ResultRow declared(TypeRef<?> as) {
        if (!(as.getClass().getGenericSuperclass() instanceof ParameterizedType parent)) {
            throw new IllegalArgumentException("a TypeRef without a type");
        }
        return declared(parent.getActualTypeArguments()[0]);
    }

    @Override
    public String toString() {
        return feature + " (" + place + "): " + fate;
    }
}
