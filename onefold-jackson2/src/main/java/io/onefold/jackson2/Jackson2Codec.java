package io.onefold.jackson2;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.TreeNode;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MutableCoercionConfig;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.onefold.payload.Codec;
import io.onefold.payload.Fingerprint;
import io.onefold.payload.Fingerprinter;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Carries every value that Jackson 2 can map. Values are read into the declared type; types that would let the stored
 * bytes name a class are rejected.
 */
public final class Jackson2Codec implements Codec {

    private final ObjectMapper mapper;
    /** The properties that are known to be lost, for each type that was checked. */
    private final Map<Type, List<String>> checked = new ConcurrentHashMap<>();

    private Jackson2Codec(ObjectMapper mapper) {
        this.mapper = Jackson2ReadBackIntrospector.readingBack(mapper);
    }

    /**
     * With settings that do not change with Jackson's defaults, because what was stored yesterday is read tomorrow; and by which
     * Jackson 3 writes and reads the same.
     */
    public static Jackson2Codec standard() {
        return new Jackson2Codec(JsonMapper.builder()
                .addModules(
                        new Jdk8Module(),
                        new JavaTimeModule().disable(JavaTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID),
                        new LanguageTagModule())
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS))
                .disable(
                        SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                        SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID, SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .disable(
                        SerializationFeature.WRITE_ENUMS_USING_TO_STRING,
                        SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .disable(DeserializationFeature.READ_ENUMS_USING_TO_STRING, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(
                        DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS, MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .withCoercionConfig(LogicalType.Textual, Jackson2Codec::textOnly)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .disable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
                .build());
    }

    private static void textOnly(MutableCoercionConfig coercions) {
        coercions
                .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
    }

    /**
     * With a copy of a mapper whose settings, as far as they shape the JSON, must then never change. The copy leaves unknown properties
     * aside, and reads back properties that clients may not set.
     */
    public static Jackson2Codec with(ObjectMapper mapper) {
        if (mapper.getSerializationConfig().getDefaultTyper(mapper.constructType(Object.class)) != null) {
            throw new IllegalArgumentException(
                    "The mapper has default typing activated: stored bytes could name any class");
        }
        return new Jackson2Codec(mapper);
    }

    /** Returns the id that the codec for Jackson 3 has, too: each codec reads the values that the other has written. */
    @Override
    public String id() {
        return "jackson";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void check(Type type) {
        losses(type);
    }

    @Override
    public List<String> losses(Type type) {
        List<String> known = checked.get(type);
        if (known == null) {
            Jackson2DeclaredTypeCheck check =
                    new Jackson2DeclaredTypeCheck(mapper.getSerializationConfig(), mapper.getDeserializationConfig());
            check.check(mapper.constructType(type), "");
            known = List.copyOf(check.losses());
            checked.put(type, known);
        }
        return known;
    }

    @Override
    public boolean isTree(Class<?> type) {
        return TreeNode.class.isAssignableFrom(type);
    }

    @Override
    public byte[] encode(@Nullable Object value, Type type) {
        try {
            return mapper.writerFor(mapper.constructType(type)).writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Jackson cannot write a " + type.getTypeName(), e);
        }
    }

    @Override
    public @Nullable Object decode(byte[] bytes, Type type, int version) {
        check(type);
        try {
            return mapper.readerFor(mapper.constructType(type)).readValue(bytes);
        } catch (IOException e) {
            // Jackson's own messages quote what they could not read.
            throw new IllegalArgumentException(
                    "Jackson cannot read a " + type.getTypeName() + ": "
                            + e.getClass().getSimpleName()
                            + Jackson2FailurePath.of(e, mapper.getDeserializationConfig()),
                    e instanceof ValueInstantiationException ? e.getCause() : null);
        }
    }

    /** The fingerprint of any value that this codec can write, taken of its JSON. */
    public Fingerprint fingerprint(Fingerprinter by, @Nullable Object value) {
        return by.json(encode(value, value == null ? Void.class : value.getClass()));
    }
}
