package io.onefold.http;

import java.util.function.IntPredicate;

/** Checks the characters of texts. It runs several times for each request, so it allocates nothing. */
final class CharacterRules {
    private CharacterRules() {}

    static boolean all(String text, IntPredicate fits) {
        for (int i = 0; i < text.length(); i++) {
            if (!fits.test(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
