package io.onefold.spring.boot;

import io.onefold.store.Filter;
import io.onefold.store.FrontDoor;
import io.onefold.store.Page;
import io.onefold.store.Store;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is told of a store that can be asked. */
public final class StoreState {
    private static final int MANY = 100;

    private StoreState() {}

    /** By names of details. */
    public static Map<String, Object> of(Store store) {
        Page page = store.list(Filter.stuck(), null, MANY);
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("store", store.getClass().getSimpleName());
        details.put("stuck", page.records().size() + (page.next() == null ? "" : "+"));
        if (store instanceof FrontDoor door) {
            details.put("front", door.health().open() ? "in use" : "left alone");
        }
        return details;
    }
}
