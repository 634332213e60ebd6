package siemload.database;

import java.util.List;

/** A list for people, who are told the first few and how many more there are. Stateless. */
public final class FirstNames {
    private FirstNames() {}

    /** {@code one, two and 7 more}; empty where there are none. */
    public static String of(List<String> names, int shown) {
        int more = names.size() - shown;
        return String.join(", ", names.subList(0, Math.min(shown, names.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
