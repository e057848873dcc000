package io.onefold.http;

/** What is to become of a request, decided before its body is read. */
public sealed interface Plan permits Plan.Pass, Plan.Answered, Exchange, Observation {

    /**
     * It passes as if there were no Onefold.
     *
     * @param why for metrics and logs
     */
    record Pass(Reason why) implements Plan {}

    /** It is answered without anybody behind the door. */
    record Answered(Answer answer) implements Plan {}

    /** Why a request passes. */
    enum Reason {
        /** No route covers it, or its method changes nothing. */
        NOT_COVERED,
        /** It is covered, but brings no key, and needs none. */
        NO_KEY,
        /** It brings a key, but nothing covers it. */
        KEY_IGNORED,
        /** It is covered, but asks for a stream of events, and its route lets those pass. */
        STREAM,
        /** It is covered, but in shadow. */
        OBSERVED
    }
}
