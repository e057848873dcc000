package io.onefold.simulator;

/** The invariants that hold in every schedule. */
public enum Invariant {
    I1("an intent has at most one effect"),
    I2("who was told of success has had the effect"),
    I3("all definitive answers to an intent are the same"),
    I4("a success that was told is replayed for as long as it is kept"),
    I5("another payload under the key is a conflict, never a replay"),
    I6("no answer crosses tenants"),
    I7("whatever is in progress ends, at the latest when the lease and a reconciler's round are over"),
    I8("an unknown outcome has a reason, and is settled as it was"),
    I9("money is neither made nor lost"),
    I10("a request's history is that of a register written once"),
    I11("nothing is left behind: no call without a proper answer, no waiter, no subscription"),
    I12("fences rise, and nothing is written under an old one"),
    I13("the owner's word on its end counts until somebody has settled or taken the record"),
    I14("an attempt to overwrite that has no effect leaves the end that it was to overwrite"),
    I15("a call that hears of a failed attempt was under way when an attempt failed");

    private final String sentence;

    Invariant(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }
}
