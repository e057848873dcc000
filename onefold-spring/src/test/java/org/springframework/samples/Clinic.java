package org.springframework.samples;

/** A handler of an application that is in a package of this kind. */
public class Clinic {
    public void visit() {}
}
