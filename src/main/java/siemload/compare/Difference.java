package siemload.compare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import siemload.compare.Comparer.Measured;

/**
 * Something beside the declared axis that was not the same in all runs. Runs of one variant must be alike in everything; and those of
 * different ones in machine, program, events and tables, unless the axis makes these. What else differs from variant to variant and is
 * the same in all runs of each cannot have come by itself: runs are interleaved. Immutable.
 *
 * @param section of environment.json: {@code database}
 * @param key in it: {@code setting.work_mem}
 * @param values each value, with the runs that had it
 */
public record Difference(String section, String key, List<Value> values) {
    private static final String TABLES = "tables";
    private static final String MISSING = "(none)";

    /**
     * Of two sizes of the same table or index. What is loaded anew is laid out anew: of 200,000 events in six containers,
     * the sizes of a GiST index, which picks at random among places that are equally good, differed by 1.9 %.
     */
    private static final double SAME_SIZE = 0.05;

    /** In bytes: some pages more or less make a large part of a small index. */
    private static final long SAME_PAGES = 64 * 1024;

    /** What follows from the settings of a variant. */
    private static final Set<String> OF_VARIANTS = Set.of("scenario", "database", "filesystem");

    /** Which properties make other events, or other tables. */
    private static final Map<String, Set<String>> FOLLOWS = Map.of(
            "dataset",
            Set.of("dataset", "amplify", "scenario"),
            TABLES,
            Set.of("target url image provision layout partitions indexes dataset amplify scenario tasks"
                    .split(" ", -1)));

    /** One value, {@code (none)} where the key was missing, and the positions of the runs that had it, sorted, 1 for the first. */
    public record Value(String value, List<Integer> runs) {}

    /** Whether runs asked for something else under one name, which can never be compared. */
    boolean definesSearch() {
        return definesSearch(section, key);
    }

    private static boolean definesSearch(String section, String key) {
        return section.equals("scenario") && key.startsWith("ownSearches.");
    }

    /** For people: {@code database setting.work_mem was 4MB in runs 1, 2 and 64MB in run 4}. */
    public String sentence() {
        return section + " " + key + " was "
                + values.stream()
                        .map(value -> value.value() + " in " + runs(value.runs()))
                        .collect(Collectors.joining(" and "));
    }

    /** {@code runs 1, 2, 5}. */
    static String runs(List<Integer> positions) {
        return (positions.size() == 1 ? "run " : "runs ")
                + positions.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** What differed, by section and key. */
    static List<Difference> between(List<Measured> all, Set<String> varied) {
        Map<String, Set<String>> keys = new TreeMap<>();
        all.forEach(run -> run.figures()
                .environment()
                .forEach((section, values) ->
                        keys.computeIfAbsent(section, unused -> new TreeSet<>()).addAll(values.keySet())));
        List<Difference> differences = new ArrayList<>();
        keys.forEach((section, known) -> known.forEach(key -> {
            boolean defines = definesSearch(section, key);
            boolean mayVary = !defines
                    && (OF_VARIANTS.contains(section)
                            || varied.stream().anyMatch(property -> makes(property, section)));
            Map<String, List<Integer>> positions = new LinkedHashMap<>();
            Map<String, String> first = new HashMap<>();
            boolean differs = false;
            for (Measured run : all) {
                String value = run.environment(section).getOrDefault(key, MISSING);
                // A search that a run did not ask has nothing to be compared with.
                if (!defines || !value.equals(MISSING)) {
                    String before = first.computeIfAbsent(mayVary ? run.variant() : "", unused -> value);
                    differs |= !before.equals(value) && !(section.equals(TABLES) && isSameSize(before, value));
                    positions
                            .computeIfAbsent(value, unused -> new ArrayList<>())
                            .add(run.position());
                }
            }
            if (differs) {
                List<Value> values = new ArrayList<>();
                positions.forEach((value, runs) -> values.add(new Value(value, runs)));
                differences.add(new Difference(section, key, values));
            }
        }));
        return differences;
    }

    private static boolean makes(String property, String section) {
        return FOLLOWS.getOrDefault(section, Set.of()).contains(property.substring(property.lastIndexOf('.') + 1));
    }

    private static boolean isSameSize(String one, String other) {
        try {
            long size = Long.parseLong(one);
            long otherSize = Long.parseLong(other);
            return Math.abs(size - otherSize) <= Math.max(SAME_PAGES, SAME_SIZE * Math.max(size, otherSize));
        } catch (NumberFormatException noSize) {
            return false; // missing in one of them, or the reason why it could not be read
        }
    }
}
