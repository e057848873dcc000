package io.onefold.jackson;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.onefold.payload.Codec;
import io.onefold.payload.Fingerprint;
import io.onefold.payload.Fingerprinter;
import java.lang.reflect.Type;
import java.time.Month;
import java.time.Year;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.TreeNode;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MutableCoercionConfig;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;
import tools.jackson.databind.type.LogicalType;
import tools.jackson.databind.util.StdDateFormat;

/**
 * Carries every value that Jackson 3 can map. Values are read into the declared type; types that would let the stored
 * bytes name a class are rejected.
 */
public final class JacksonCodec implements Codec {

    private final ObjectMapper mapper;
    /** The properties that are known to be lost, for each type that was checked. */
    private final Map<Type, List<String>> checked = new ConcurrentHashMap<>();

    private JacksonCodec(ObjectMapper mapper) {
        this.mapper = ReadBackIntrospector.readingBack(mapper);
    }

    /**
     * With settings that do not change with Jackson's defaults, because what was stored yesterday is read tomorrow; and by which
     * Jackson 2 writes and reads the same.
     */
    public static JacksonCodec standard() {
        return new JacksonCodec(JsonMapper.builder()
                .changeDefaultPropertyInclusion(
                        always -> JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS))
                .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(
                        DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE,
                        DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .defaultDateFormat(new StdDateFormat().withZeroOffsetAsZ(false))
                .addModule(new SimpleModule()
                        .addSerializer(Month.class, ToStringSerializer.instance)
                        .addSerializer(Year.class, ToStringSerializer.instance))
                .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING, EnumFeature.READ_ENUMS_USING_TO_STRING)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(
                        DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS, MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .withCoercionConfig(LogicalType.Textual, JacksonCodec::textOnly)
                .disable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
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
    public static JacksonCodec with(ObjectMapper mapper) {
        if (mapper.serializationConfig().getDefaultTyper(mapper.constructType(Object.class)) != null) {
            throw new IllegalArgumentException(
                    "The mapper has default typing activated: stored bytes could name any class");
        }
        return new JacksonCodec(mapper);
    }

    /** Returns the id that the codec for Jackson 2 has, too: each codec reads the values that the other has written. */
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
            DeclaredTypeCheck check =
                    new DeclaredTypeCheck(mapper.serializationConfig(), mapper.deserializationConfig());
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
        } catch (JacksonException e) {
            throw new IllegalArgumentException("Jackson cannot write a " + type.getTypeName(), e);
        }
    }

    @Override
    public @Nullable Object decode(byte[] bytes, Type type, int version) {
        check(type);
        try {
            return mapper.readerFor(mapper.constructType(type)).readValue(bytes);
        } catch (JacksonException e) {
            // Jackson's own messages quote what they could not read.
            throw new IllegalArgumentException(
                    "Jackson cannot read a " + type.getTypeName() + ": "
                            + e.getClass().getSimpleName() + FailurePath.of(e, mapper.deserializationConfig()),
                    e instanceof ValueInstantiationException ? e.getCause() : null);
        }
    }

    /** The fingerprint of any value that this codec can write, taken of its JSON. */
    public Fingerprint fingerprint(Fingerprinter by, @Nullable Object value) {
        return by.json(encode(value, value == null ? Void.class : value.getClass()));
    }
}
