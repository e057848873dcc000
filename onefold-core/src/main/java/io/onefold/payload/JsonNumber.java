package io.onefold.payload;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;

/**
 * A number as it was written. The exponent stays an exponent: {@code 1e1000000000} costs twelve characters, not a
 * gigabyte.
 */
record JsonNumber(String text) {

    static final int MAX_LENGTH = 1_000;

    /**
     * The number of bits that {@link #MAX_LENGTH} digits have. It is checked first because the digits of huge numbers
     * take long to make.
     */
    private static final int MAX_BITS = 3_322;

    static JsonNumber of(Number number) {
        return new JsonNumber(textOf(number));
    }

    /** A finite number that {@link JsonReader} would read too. */
    static String textOf(Number number) {
        if (number instanceof Long || number instanceof Integer || number instanceof Short || number instanceof Byte) {
            return number.toString();
        }
        BigDecimal decimal;
        try {
            decimal = decimal(number);
        } catch (NumberFormatException e) {
            throw new UnsupportedValueException("a " + number.getClass().getName() + " that is not a finite number");
        }
        if (decimal.unscaledValue().bitLength() > MAX_BITS || decimal.toString().length() > MAX_LENGTH) {
            throw new UnsupportedValueException("a number of more than " + MAX_LENGTH + " characters");
        }
        return decimal.toString();
    }

    private static BigDecimal decimal(Number number) {
        if (number instanceof BigDecimal decimal) {
            return decimal;
        }
        if (number instanceof BigInteger integer) {
            return new BigDecimal(integer);
        }
        return number instanceof Double || number instanceof Float
                ? shortest(number)
                : new BigDecimal(number.toString());
    }

    /**
     * The shortest decimal that reads back as the same floating-point number, as JDK 19 and later (and other languages)
     * print it. Older JDKs print some numbers longer, and a fingerprint must not change with the JDK.
     */
    private static BigDecimal shortest(Number number) {
        double value = number.doubleValue();
        BigDecimal exact = new BigDecimal(value);
        for (int digits = 2; digits <= 17; digits++) {
            // Above a power of two the numbers lie farther apart than below it, so the farther decimal may be the one.
            for (RoundingMode mode : List.of(RoundingMode.HALF_EVEN, RoundingMode.UP)) {
                BigDecimal rounded = exact.round(new MathContext(digits, mode));
                if (value == (number instanceof Float ? rounded.floatValue() : rounded.doubleValue())) {
                    return rounded;
                }
            }
        }
        return exact;
    }

    @Override
    public String toString() {
        return text;
    }
}
