package siemload.compare.experiment;

import java.util.List;

/**
 * Something beside the declared axis that was not the same in all runs. Immutable.
 *
 * @param section of environment.json: {@code database}
 * @param key in it: {@code setting.work_mem}
 * @param values each value, with the runs that had it
 */
public record Difference(String section, String key, List<Value> values) {

    public Difference {
        values = List.copyOf(values);
    }

    /**
     * One value.
     *
     * @param value {@code (none)} where the key was missing
     * @param runs the positions of the runs that had it, 1 for the first, sorted
     */
    public record Value(String value, List<Integer> runs) {
        public Value {
            runs = List.copyOf(runs);
        }
    }

    /** Whether runs asked for something else under one name, which can never be compared. */
    boolean definesSearch() {
        return definesSearch(section, key);
    }

    /** Whether a value says what a search of the scenario's own asks for. */
    static boolean definesSearch(String section, String key) {
        return section.equals("scenario") && key.startsWith("ownSearches.");
    }

    /** For people: {@code database setting.work_mem was 4MB in runs 1-3 and 64MB in run 4}. */
    public String sentence() {
        List<String> parts = values.stream()
                .map(value -> value.value() + " in " + runs(value.runs()))
                .toList();
        return section + " " + key + " was " + String.join(" and ", parts);
    }

    /** {@code runs 1-3, 5}. */
    static String runs(List<Integer> positions) {
        StringBuilder text = new StringBuilder(positions.size() == 1 ? "run " : "runs ");
        int i = 0;
        while (i < positions.size()) {
            int last = i;
            while (last + 1 < positions.size() && positions.get(last + 1) == positions.get(last) + 1) {
                last++;
            }
            text.append(i == 0 ? "" : ", ").append(positions.get(i));
            if (last > i) {
                text.append(last == i + 1 ? ", " : "-").append(positions.get(last));
            }
            i = last + 1;
        }
        return text.toString();
    }
}
