package io.onefold.http;

import io.onefold.Onefold;

/** What is protected and how; the same for every door. */
public final class HttpContract {
    private HttpContract(Builder builder) {}

    public static Builder builder(Onefold onefold) {
        return new Builder(onefold);
    }

    /** What is to become of a request. */
    public Plan plan(Head head) {
        throw new UnsupportedOperationException();
    }

    /** An answer of the door's own, in the words of the profile. */
    public Answer answer(Problem problem) {
        throw new UnsupportedOperationException();
    }

    /** What may be chosen; everything has a default. */
    public static final class Builder {
        private final Onefold onefold;

        private Builder(Onefold onefold) {
            this.onefold = onefold;
        }

        public Builder profile(Profile profile) {
            return this;
        }

        /** How routes behave that say nothing else. */
        public Builder defaults(Policy policy) {
            return this;
        }

        /** The first route that matches counts. Without any, all POST and PATCH requests are covered. */
        public Builder route(Route route) {
            return this;
        }

        public HttpContract build() {
            return new HttpContract(this);
        }
    }
}
