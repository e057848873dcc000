package io.onefold.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.util.Locale;

/** Locales by their tags, as Jackson 3 and the codec of the core write them. */
final class LanguageTagModule extends SimpleModule {
    private static final long serialVersionUID = 1;

    LanguageTagModule() {
        addSerializer(new LanguageTagSerializer());
        addDeserializer(Locale.class, new LanguageTagDeserializer());
    }

    private static final class LanguageTagSerializer extends StdScalarSerializer<Locale> {
        private static final long serialVersionUID = 1;

        LanguageTagSerializer() {
            super(Locale.class);
        }

        @Override
        public void serialize(Locale locale, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeString(locale.toLanguageTag());
        }
    }

    private static final class LanguageTagDeserializer extends FromStringDeserializer<Locale> {
        private static final long serialVersionUID = 1;

        LanguageTagDeserializer() {
            super(Locale.class);
        }

        @Override
        protected Locale _deserialize(String tag, DeserializationContext context) {
            return Locale.forLanguageTag(tag);
        }
    }
}
