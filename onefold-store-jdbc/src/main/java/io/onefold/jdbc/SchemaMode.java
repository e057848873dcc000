package io.onefold.jdbc;

/** The handling of the tables when a store is opened. */
public enum SchemaMode {
    /** Make those that are missing, check those that are there. Nothing that is there is altered. */
    CREATE,
    /** Check them; a missing one is an error. */
    VALIDATE,
    /** Leave them alone and trust that they are right. */
    NONE
}
