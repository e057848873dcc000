package io.onefold.server;

import java.io.PrintStream;

/** A story whose lines are claims that hold or fail. */
final class CheckedOutput {
    private final PrintStream out;
    private volatile boolean held = true;
    private volatile boolean over;

    CheckedOutput(PrintStream out) {
        this.out = out;
    }

    void chapter(String title) {
        print("\n" + title);
    }

    /** Prints a line with the expected and the seen value. */
    void line(String what, Object expected, Object seen) {
        boolean holds = expected.equals(seen);
        if (!over) {
            held &= holds;
        }
        print((holds ? "   ok        " : "   NOT HELD  ") + what + ": expected " + expected + ", seen " + seen);
    }

    /** Prints a note about the current step, for a reader who waits. */
    void progress(String what) {
        print("   ...       " + what);
    }

    void say(String what) {
        print(what);
    }

    boolean held() {
        return held;
    }

    /** Ends the story: later events print nothing. */
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
