package io.onefold.shop;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Lets nobody act before all have looked, so that what is a matter of luck elsewhere happens every time. */
final class Meeting implements Gap {
    private volatile CyclicBarrier all = new CyclicBarrier(1);

    void of(int number) {
        all = new CyclicBarrier(number);
    }

    int waiting() {
        return all.getNumberWaiting();
    }

    @Override
    public void pass() {
        try {
            all.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException("the others have not come", e);
        }
    }
}
