package siemload.results;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What files of versions say that did not know a key, which a reader of JSON hands over as null. Stateless and thread-safe. */
public final class MissingKey {
    private MissingKey() {}

    /** A copy of a list; empty where its key is missing. */
    public static <T> List<T> asNone(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }
}
