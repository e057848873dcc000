package io.onefold.shop;

/** Where duplicates of requests come from; those of messages have cases of their own. */
enum Source {
    DOUBLE_CLICK,
    /** A client has not heard the answer and tries again. */
    TIMEOUT,
    /** A service that is called by another. */
    SERVICE_RETRY
}
