package io.onefold.http.contract;

import java.util.Optional;

/**
 * Opens an adapter for a case. {@link AdapterSetup#caller} tells who the caller is. A caller that {@link
 * TestService#admits} rejects gets a 403 before the request reaches the adapter, as from an application's own security.
 */
public interface AdapterFixture {

    /** The heading of its column in the report. */
    String name();

    /** Opens a new adapter, with nothing but the test service behind it. */
    RunningAdapter open(AdapterSetup setting, TestService business) throws Exception;

    /** Returns the store for the records of a case, which all of its adapters share. */
    default CaseStore store() {
        return new MovableMemoryStore();
    }

    /**
     * Returns true if the test service runs in a transaction that includes the record: both are committed, or neither.
     * Then every response that the service has returned belongs to a committed effect, whatever its status, and nothing
     * is left of work that has thrown.
     */
    default boolean joins() {
        return false;
    }

    /**
     * Returns a fixture of the same application without a transaction for its service: only there an outcome can be
     * unknown.
     */
    default AdapterFixture leased() {
        return this;
    }

    /**
     * Returns the reason why a case cannot be shown through this adapter; empty if it can. The report gives the reason:
     * "n/a because ...".
     *
     * @param name the name of the case, which begins with its rows: {@code H14 the body of a good request is asked for}
     */
    default Optional<String> notApplicable(String name) {
        return Optional.empty();
    }

    /**
     * Returns the report's text for a case that was run and holds. It is more than "ok" if the case holds under some
     * setting only, or shows less through this adapter than its name says.
     *
     * @param name as above
     */
    default String told(String name) {
        return "ok";
    }

    /** Returns true if the report has a column for this adapter. Adapters that are broken on purpose have none. */
    default boolean reported() {
        return true;
    }
}
