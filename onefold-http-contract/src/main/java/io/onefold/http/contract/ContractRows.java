package io.onefold.http.contract;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The rows of the contract: each names one promise. */
final class ContractRows {
    private static final String[] HTTP = {
        "where the key stands",
        "quotes around the key",
        "characters of the key",
        "length of the key",
        "case and space of the key",
        "the key given twice",
        "no key, or an empty one",
        "whose key it is, and for what",
        "path, query and media type under one key",
        "equal bodies",
        "multipart bodies",
        "how large a body may be",
        "a body that comes in pieces",
        "Expect: 100-continue",
        "an encoded body",
        "what is judged first",
        "who may ask",
        "refused before it was executed",
        "which answers are replayed",
        "answers of 500 and above",
        "exceptions",
        "a request that is being handled",
        "an outcome that nobody knows",
        "how a replay is marked",
        "headers that are replayed",
        "cookies",
        "how large a kept answer may be",
        "answers without an end",
        "interim answers and trailers",
        "redirects",
        "encoded answers",
        "another Accept",
        "preconditions",
        "safe methods",
        "PUT and DELETE",
        "a key that nothing asks for",
        "a client that hangs up",
        "how long an answer is kept",
        "how the keep is told",
        "when a request was first sent",
        "equal requests, different keys",
        "a store that is down",
        "cross-origin requests",
        "asking what became of a request",
        "the key for those behind",
        "headers made anew",
        "an answer that breaks off"
    };

    private static final Map<String, String> ALL = all();

    private ContractRows() {}

    /** The rows of the contract, and what each is about, in order; then faults and bugs of others that are looked for besides. */
    static Map<String, String> titles() {
        return ALL;
    }

    private static Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>();
        for (int i = 0; i < HTTP.length; i++) {
            all.put(String.format("H%02d", i + 1), HTTP[i]);
        }
        all.put("S01", "another's key");
        all.put("S02", "rights that were lowered since");
        all.put("S13", "bodies made to exhaust");
        all.put("S16", "smuggled headers");
        all.put("S17", "split answers");
        all.put("B12", "hanging up loses the record");
        all.put("B13", "a replay with another status or other headers");
        all.put("B14", "a key bound to nothing");
        all.put("B15", "a lost race");
        all.put("B16", "busy before reused");
        return Collections.unmodifiableMap(all);
    }
}
