package io.onefold.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.onefold.payload.Codec;
import io.onefold.payload.Fingerprinter;
import io.onefold.payload.contract.CodecContract;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

class JacksonCodecTest extends CodecContract {

    private static final JacksonCodec CODEC = JacksonCodec.standard();

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Card.class, name = "card"),
        @JsonSubTypes.Type(value = Cash.class, name = "cash")
    })
    sealed interface Payment permits Card, Cash {}

    record Card(String last4) implements Payment {}

    record Cash(int notes) implements Payment {}

    record Bill(List<Payment> payments) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    interface Open {}

    record Holder(List<Open> things) {}

    record Sneaky(
            @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
            Object thing) {}

    interface Unknown {}

    record Vague(Unknown unknown) {}

    static class Bean {
        public @Nullable String name;
        public long amount = 4200;
    }

    @Override
    protected Codec codec() {
        return CODEC;
    }

    @Override
    protected boolean mapsClasses() {
        return true;
    }

    @Test
    void a_sealed_type_with_names_comes_back() {
        Bill bill = new Bill(List.of(new Card("4242"), new Cash(3)));
        assertThat(roundTrip(bill, Bill.class)).isEqualTo(bill);
    }

    @Test
    void types_that_let_the_bytes_name_a_class_are_refused() {
        assertRefused(Open.class, "CLASS");
        assertRefused(Holder.class, "Open (at things)");
        assertRefused(Open[].class, "Open");
        assertRefused(Sneaky.class, "MINIMAL_CLASS");
        assertRefused(Vague.class, "Unknown (at unknown)");
    }

    private static void assertRefused(Class<?> type, String part) {
        assertThatIllegalArgumentException().isThrownBy(() -> CODEC.check(type)).withMessageContaining(part);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CODEC.decode(new byte[0], type, 1))
                .withMessageContaining(part);
    }

    @Test
    void a_mapper_with_default_typing_is_refused() {
        JsonMapper typing = JsonMapper.builder()
                .activateDefaultTyping(
                        BasicPolymorphicTypeValidator.builder()
                                .allowIfBaseType(Object.class)
                                .build(),
                        DefaultTyping.NON_FINAL)
                .build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JacksonCodec.with(typing))
                .withMessageContaining("default typing");
        assertThat(JacksonCodec.with(new JsonMapper()).id()).isEqualTo("jackson");
    }

    @Test
    void an_object_without_properties_is_not_taken_for_an_empty_one() {
        assertThatIllegalArgumentException().isThrownBy(() -> CODEC.encode(new Object(), Object.class));
    }

    @Test
    void a_bean_has_the_fingerprint_of_its_json() {
        Fingerprinter standard = Fingerprinter.standard();
        assertThat(CODEC.fingerprint(standard, new Bean()))
                .isEqualTo(standard.json("{\"amount\":4.2e3,\"name\":null}"));
        assertThat(CODEC.fingerprint(standard, new Before("a", 3))).isEqualTo(standard.value(new Before("a", 3)));
    }
}
