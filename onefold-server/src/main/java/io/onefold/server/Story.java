package io.onefold.server;

import java.io.PrintStream;

/** A story whose lines are claims that either hold or do not. */
final class Story {
    private final PrintStream out;
    private boolean held = true;

    Story(PrintStream out) {
        this.out = out;
    }

    void chapter(String title) {
        out.println();
        out.println(title);
    }

    /** A line that says what was seen, and whether it is what had to be. */
    void line(boolean holds, String what) {
        held &= holds;
        out.println((holds ? "   ok      " : "   FAILED  ") + what);
    }

    /** What is going on, for those who wait. */
    void progress(String what) {
        out.println("   ...     " + what);
        out.flush();
    }

    boolean held() {
        return held;
    }

    void end(String whenHeld) {
        out.println();
        out.println(held ? whenHeld : "Not every line held: please report it, with the lines that say FAILED.");
    }
}
