package io.onefold.http.contract;

import java.util.Optional;

/**
 * How a door is opened for a case. Whoever asks is told by {@link Setting#caller}; whom {@link Business#admits} refuses is answered
 * 403 before the door is reached, as an application's own security would.
 */
public interface DoorFixture {

    /** The heading of its column in the report. */
    String name();

    /** A new door, with nothing but the business behind it. */
    Door open(Setting setting, Business business) throws Exception;

    /**
     * Why a row cannot be shown through this door; empty if it can.
     *
     * @param row such as {@code H14}
     */
    default Optional<String> notApplicable(String row) {
        return Optional.empty();
    }
}
