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
final class LanguageTags extends SimpleModule {
    private static final long serialVersionUID = 1;

    LanguageTags() {
        addSerializer(new Writer());
        addDeserializer(Locale.class, new Reader());
    }

    private static final class Writer extends StdScalarSerializer<Locale> {
        private static final long serialVersionUID = 1;

        Writer() {
            super(Locale.class);
        }

        @Override
        public void serialize(Locale locale, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeString(locale.toLanguageTag());
        }
    }

    private static final class Reader extends FromStringDeserializer<Locale> {
        private static final long serialVersionUID = 1;

        Reader() {
            super(Locale.class);
        }

        @Override
        protected Locale _deserialize(String tag, DeserializationContext context) {
            return Locale.forLanguageTag(tag);
        }
    }
}
