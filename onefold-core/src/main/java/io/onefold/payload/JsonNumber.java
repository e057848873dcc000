package io.onefold.payload;

import java.math.BigDecimal;

/**
 * A number as it was written. The exponent stays an exponent: {@code 1e1000000000} costs twelve characters, not a
 * gigabyte.
 */
record JsonNumber(String text) {

    static final int MAX_LENGTH = 1_000;

    /** Keeps every exponent, moved by up to {@link #MAX_LENGTH} digits, within a long. */
    static final int MAX_EXPONENT_DIGITS = 18;

    /** The digits of mantissa and fraction, with the sign if negative; zeros are not stripped. */
    String digits() {
        return text.substring(0, mantissaEnd()).replace(".", "");
    }

    /** The power of ten that {@link #digits} are multiplied with. */
    long exponent() {
        int end = mantissaEnd();
        int point = text.indexOf('.');
        long fraction = point < 0 ? 0 : end - point - 1;
        return (end == text.length() ? 0 : Long.parseLong(text, end + 1, text.length(), 10)) - fraction;
    }

    /** With the scale as written: 1.50 has two decimals. */
    BigDecimal toBigDecimal() {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw new MisfitException("an exponent beyond what a BigDecimal holds");
        }
    }

    private int mantissaEnd() {
        int e = Math.max(text.indexOf('e'), text.indexOf('E'));
        return e < 0 ? text.length() : e;
    }
}
