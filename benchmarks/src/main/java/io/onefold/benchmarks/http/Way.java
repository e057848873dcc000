package io.onefold.benchmarks.http;

/** Which way requests go, and what becomes of them. */
enum Way {
    DIRECT("service directly", Host.SERVICE, true),
    PLAIN("Jetty proxy without Onefold", Host.PROXY, true),
    TUNED("the same, answers on selectors", Host.TUNED_PROXY, true),
    PASSED("gateway, no key: passed on", Host.GATEWAY, false),
    FIRST("gateway, first execution", Host.GATEWAY, true),
    REPLAY("gateway, replay", Host.GATEWAY, true);

    final String called;
    final String host;
    final boolean keyed;

    Way(String called, String host, boolean keyed) {
        this.called = called;
        this.host = host;
        this.keyed = keyed;
    }
}
