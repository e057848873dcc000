package io.onefold.benchmarks.stores;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** The virtual machine's own compiler. */
public final class Compiler {
    private static final int LOOK_MILLIS = 100;
    private static final int QUIET_LOOKS = 3;
    private static final int MOST_LOOKS = 50;

    private Compiler() {}

    /** Waits until nothing more is compiled, but not for ever. */
    public static void settle() throws InterruptedException {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        if (compiler == null || !compiler.isCompilationTimeMonitoringSupported()) {
            return;
        }
        long before = compiler.getTotalCompilationTime();
        for (int looks = 0, quiet = 0; looks < MOST_LOOKS && quiet < QUIET_LOOKS; looks++) {
            Thread.sleep(LOOK_MILLIS);
            long now = compiler.getTotalCompilationTime();
            quiet = now == before ? quiet + 1 : 0;
            before = now;
        }
    }
}
