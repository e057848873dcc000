package io.onefold.payload;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.Predicate;

/** Java numbers as decimals that can be compared exactly. */
final class Decimals {

    /** As many bits as the digits of the longest JSON number, so that both doors take the same numbers. */
    private static final int MAX_BITS = 3_322;

    static BigDecimal of(Number number) {
        BigDecimal decimal;
        try {
            decimal = convert(number);
        } catch (NumberFormatException e) {
            throw new MisfitException("a " + number.getClass().getName() + " that is not a finite number");
        }
        if (decimal.unscaledValue().bitLength() > MAX_BITS) {
            throw new MisfitException("a number of more than " + JsonNumber.MAX_LENGTH + " digits");
        }
        return decimal;
    }

    private static BigDecimal convert(Number number) {
        if (number instanceof BigDecimal decimal) {
            return decimal;
        }
        if (number instanceof BigInteger integer) {
            return new BigDecimal(integer);
        }
        if (number instanceof Double wide) {
            double value = wide;
            return shortest(new BigDecimal(value), decimal -> decimal.doubleValue() == value);
        }
        if (number instanceof Float narrow) {
            float value = narrow;
            return shortest(new BigDecimal(value), decimal -> decimal.floatValue() == value);
        }
        return new BigDecimal(number.toString());
    }

    /**
     * The shortest decimal that reads back as the same floating-point number, as JDK 19 and later (and other languages)
     * print it. Older JDKs print some numbers longer, and a fingerprint must not change with the JDK.
     */
    private static BigDecimal shortest(BigDecimal exact, Predicate<BigDecimal> same) {
        for (int digits = 2; digits <= 17; digits++) {
            BigDecimal nearest = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
            if (same.test(nearest)) {
                return nearest;
            }
            // Above a power of two the numbers lie farther apart than below it, so the farther decimal may be the one.
            BigDecimal above = exact.round(new MathContext(digits, RoundingMode.UP));
            if (same.test(above)) {
                return above;
            }
        }
        return exact;
    }

    private Decimals() {}
}
