package siemload.load;

import java.util.function.Consumer;

/** The way of searches to the workers: straight, or past a {@link GroupQuota}. Thread-safe. */
@FunctionalInterface
interface Admission {
    /** Takes a search, in the order of the calls; the listener is called exactly once, when it has ended. */
    void submit(SearchRequest request, Consumer<SearchAnswer> listener);
}
