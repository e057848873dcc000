package io.onefold.spring.boot;

/** The application contradicts itself in what it wants of Onefold. */
final class ContradictorySettingsException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final String what;
    private final String remedy;

    ContradictorySettingsException(String what, String remedy) {
        super(what + ". " + remedy);
        this.what = what;
        this.remedy = remedy;
    }

    String what() {
        return what;
    }

    String remedy() {
        return remedy;
    }
}
