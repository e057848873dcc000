package io.onefold.http.contract;

import java.util.Optional;

/**
 * How a door is opened for a case. Whoever asks is told by {@link AdapterSetup#caller}; whom {@link TestService#admits} refuses is answered
 * 403 before the door is reached, as an application's own security would.
 */
public interface AdapterFixture {

    /** The heading of its column in the report. */
    String name();

    /** A new door, with nothing but the business behind it. */
    RunningAdapter open(AdapterSetup setting, TestService business) throws Exception;

    /** Where the records of a case live, for all of its doors. */
    default CaseStore store() {
        return new MovableMemoryStore();
    }

    /**
     * Whether the business runs in a transaction that has the record in it: both are there, or neither. Then an answer that it has
     * returned is that of a committed effect, whatever it says, and nothing is left of work that has thrown.
     */
    default boolean joins() {
        return false;
    }

    /** The same application from before its business joined a transaction: only there an outcome can be unknown. */
    default AdapterFixture leased() {
        return this;
    }

    /**
     * Why a case cannot be shown through this door; empty if it can. The report tells the reason: "n/a because ...".
     *
     * @param name of the case, which begins with its rows: {@code H14 the body of a good request is asked for}
     */
    default Optional<String> notApplicable(String name) {
        return Optional.empty();
    }

    /**
     * What the report tells of a case that was run and holds: more than "ok" if it holds under some setting only, or shows less
     * through this door than its name says.
     *
     * @param name as above
     */
    default String told(String name) {
        return "ok";
    }

    /** Whether the report has a column for it; doors that are broken on purpose have none. */
    default boolean reported() {
        return true;
    }
}
