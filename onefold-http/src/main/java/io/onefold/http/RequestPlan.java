package io.onefold.http;

/** The treatment of a request, decided before its body is read. */
public sealed interface RequestPlan
        permits RequestPlan.PassThrough, RequestPlan.RespondNow, ProtectedExchange, ShadowExchange {

    /**
     * It passes as if there were no Onefold.
     *
     * @param why for metrics and logs
     */
    record PassThrough(PassReason why) implements RequestPlan {}

    /** It is answered without anybody behind the door. */
    record RespondNow(OutgoingResponse answer) implements RequestPlan {}

    /** Why a request passes. */
    enum PassReason {
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
