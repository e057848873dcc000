package io.onefold.server;

/** The command line of the runnable jar. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        System.out.println("Usage: onefold <command> [options]");
    }
}
