package io.onefold;

/** The name of this process in logs: its number, and that of the machine where the environment says it. */
final class NodeName {
    private NodeName() {}

    /** Asks no name service, which may take seconds. */
    static String ofProcess() {
        String machine = System.getenv("HOSTNAME");
        if (machine == null || machine.isBlank()) {
            machine = System.getenv("COMPUTERNAME");
        }
        long process = ProcessHandle.current().pid();
        return machine == null || machine.isBlank() ? String.valueOf(process) : process + "@" + machine;
    }
}
