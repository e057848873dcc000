package io.onefold;

/** Hears what happens. Called on the thread where it happened, so it should be quick; what it throws is logged and ignored. */
@FunctionalInterface
public interface OperationListener {
    void on(OperationEvent event);
}
