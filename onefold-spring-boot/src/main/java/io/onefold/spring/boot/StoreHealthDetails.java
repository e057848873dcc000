package io.onefold.spring.boot;

import io.onefold.store.RecordFilter;
import io.onefold.store.RecordPage;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.TieredStore;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is told of a store that can be asked. */
public final class StoreHealthDetails {
    private static final Logger LOG = LoggerFactory.getLogger(StoreHealthDetails.class);
    private static final int MANY = 100;

    private StoreHealthDetails() {}

    /**
     * By names of details.
     *
     * @throws StoreException if it cannot be asked
     */
    public static Map<String, Object> of(Store store) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("store", store.getClass().getSimpleName());
        details.put("stuck", stuck(store));
        if (store instanceof TieredStore door) {
            details.put("front", door.health().open() ? "in use" : "left alone");
        }
        return details;
    }

    /** A record that cannot be read, say, is no reason to take the node away: others are read and written as ever. */
    private static String stuck(Store store) {
        try {
            int found = 0;
            String cursor = null;
            do {
                // a page may be short of records that match, and have others after it
                RecordPage page = store.list(RecordFilter.stuck(), cursor, MANY);
                found += page.records().size();
                cursor = page.next();
            } while (found < MANY && cursor != null);
            return found + (cursor == null ? "" : "+");
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.warn("what is stuck could not be counted", e);
            return "not known: " + e.getClass().getSimpleName();
        }
    }
}
