package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Experiment.Axis;

/**
 * Something beside the declared axis that was not the same in all runs: nothing may differ but what the axis varies and what
 * follows from it, and runs of one cell must be alike in everything. Immutable.
 *
 * @param section of environment.json: {@code database}
 * @param key in it: {@code setting.work_mem}
 * @param values each value, with the runs that had it
 */
public record Difference(String section, String key, List<Value> values) {

    private static final String SCENARIO = "scenario";
    private static final String TABLES = "tables";
    private static final String MISSING = "(none)";

    /**
     * Of two sizes of the same table or index. What is loaded anew is laid out anew: of 200,000 events in six containers,
     * the sizes of a GiST index, which picks at random among places that are equally good, differed by 1.9 %.
     */
    private static final double SAME_SIZE = 0.05;

    /** In bytes: some pages more or less make a large part of a small index. */
    private static final long SAME_PAGES = 64 * 1024;

    private static final Set<String> TARGETS = Set.of("target", "url", "image", "provision");
    /** What the number of workers follows from, where it is not set, and from it how many connections an embedded server takes. */
    private static final Set<String> SEARCHERS = Set.of("users", "tasks", "inFlight");

    /** Objectives of a feeder or a search that is left out are not applied, and are shown as such. */
    private static final Set<String> LEAVING_OUT = Set.of("eps", "searches");

    /** From which properties beside those of the target follows what else sections hold. */
    private static final Map<String, Set<String>> FOLLOWS = Map.of(
            SCENARIO,
            Set.of(SCENARIO),
            TABLES,
            Set.of("layout", "partitions", "indexes", "dataset", "amplify", SCENARIO),
            "database",
            Set.of("parameters", "containerMemory", "containerCpus", "workers", "servers", SCENARIO),
            "drivers",
            Set.of(),
            "filesystem",
            Set.of());

    /** What a property is called in files, where it has another name there. */
    private static final Map<String, String> IN_FILES = Map.of("duration", "measurement", "searches", "mix");

    /** Which of several a value is of: {@code analysts[tier-1].users}. */
    private static final Pattern OF_A_LIST = Pattern.compile("\\[[^\\]]*]");

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

    private static boolean definesSearch(String section, String key) {
        return section.equals(SCENARIO) && key.startsWith("ownSearches.");
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

    /**
     * What differed, by section and key. Where variants have names, what all runs of some of them have, and no run of the others (a
     * directory of data on this machine, a container, a host), cannot be equal, and is no forbidden difference.
     */
    static List<Difference> between(List<Measured> all, List<Axis> axes, Set<String> names) {
        Map<String, Set<String>> keys = new TreeMap<>();
        all.forEach(run -> run.figures()
                .environment()
                .forEach((section, values) ->
                        keys.computeIfAbsent(section, unused -> new TreeSet<>()).addAll(values.keySet())));
        List<Difference> differences = new ArrayList<>();
        keys.forEach((section, known) -> known.forEach(key -> {
            boolean defines = definesSearch(section, key);
            boolean mayVary = !defines && axes.stream().anyMatch(axis -> varies(axis.property(), section, key));
            Map<String, List<Integer>> positions = new LinkedHashMap<>();
            Map<String, String> first = new LinkedHashMap<>();
            boolean differs = false;
            for (Measured run : names.isEmpty() || defines ? all : concerned(all, section, key)) {
                String value = value(run, section, key);
                // A search that a run did not ask has nothing to be compared with.
                if (!defines || !value.equals(MISSING)) {
                    String before = first.computeIfAbsent(mayVary ? run.variant() : "", unused -> value);
                    differs |= !isSame(section, before, value);
                    positions
                            .computeIfAbsent(value, unused -> new ArrayList<>())
                            .add(run.position());
                }
            }
            if (differs) {
                differences.add(new Difference(
                        section,
                        key,
                        positions.entrySet().stream()
                                .map(one -> new Value(one.getKey(), one.getValue()))
                                .toList()));
            }
        }));
        return differences;
    }

    /** The runs of those variants that have the section, or that of its parts which the key belongs to: {@code data} of {@code data.type}. */
    private static List<Measured> concerned(List<Measured> runs, String section, String key) {
        int dot = key.indexOf('.') + 1;
        Set<String> having = new HashSet<>();
        Set<String> missing = new HashSet<>();
        for (Measured run : runs) {
            boolean has = run.figures().environment().getOrDefault(section, Map.of()).keySet().stream()
                    .anyMatch(other -> dot == 0 ? other.indexOf('.') < 0 : other.startsWith(key.substring(0, dot)));
            (has ? having : missing).add(run.variant());
        }
        return Collections.disjoint(missing, having)
                ? runs.stream().filter(run -> having.contains(run.variant())).toList()
                : runs;
    }

    private static boolean isSame(String section, String one, String other) {
        return one.equals(other) || (section.equals(TABLES) && isSameSize(one, other));
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

    private static String value(Measured run, String section, String key) {
        return run.figures().environment().getOrDefault(section, Map.of()).getOrDefault(key, MISSING);
    }

    /** Whether a value may be another one in each cell of an axis: the property itself, or what follows from it. */
    private static boolean varies(String varied, String section, String key) {
        String property = varied.substring(varied.lastIndexOf('.') + 1);
        if (section.equals("dataset")) {
            return Set.of("dataset", "amplify", SCENARIO).contains(property);
        }
        Set<String> follows = FOLLOWS.get(section);
        return follows != null
                && (follows.contains(property)
                        || TARGETS.contains(property)
                        || (section.equals(SCENARIO) && isPart(property, key))
                        || (section.equals("database") && SEARCHERS.contains(property))
                        // Tables of the trends that its tasks store.
                        || (section.equals(TABLES) && varied.matches("analysts[.].*[.]tasks")));
    }

    /** Whether a value of the scenario is the property, a part of it, or what the property sets. */
    private static boolean isPart(String property, String key) {
        List<String> path = List.of(OF_A_LIST.matcher(key).replaceAll("").split("[.]"));
        return path.contains(property)
                || path.contains(IN_FILES.getOrDefault(property, property))
                || (SEARCHERS.contains(property) && key.equals("workers"))
                || (LEAVING_OUT.contains(property) && path.get(0).equals("objectives"));
    }
}
