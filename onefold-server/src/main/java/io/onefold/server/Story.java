package io.onefold.server;

import java.io.PrintStream;

/** A story whose lines are claims that either hold or do not. */
final class Story {
    private final PrintStream out;
    private volatile boolean held = true;
    private volatile boolean over;

    Story(PrintStream out) {
        this.out = out;
    }

    void chapter(String title) {
        print("\n" + title);
    }

    /** A line that says what had to be seen, and what was. */
    void line(String what, Object expected, Object seen) {
        boolean holds = expected.equals(seen);
        if (!over) {
            held &= holds;
        }
        print((holds ? "   ok        " : "   NOT HELD  ") + what + ": expected " + expected + ", seen " + seen);
    }

    /** What is going on, for those who wait. */
    void progress(String what) {
        print("   ...       " + what);
    }

    void say(String what) {
        print(what);
    }

    boolean held() {
        return held;
    }

    /** Nothing more is told: whatever happens from now on is no part of it. */
    void end() {
        over = true;
    }

    private void print(String line) {
        if (!over) {
            out.println(line);
            out.flush();
        }
    }
}
