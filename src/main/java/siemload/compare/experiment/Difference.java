package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import siemload.compare.experiment.Comparer.Measured;
import siemload.compare.experiment.Comparison.Side;

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
    private static final Set<String> STORED = Set.of("layout", "partitions", "indexes", "dataset", "amplify", SCENARIO);
    /** What the number of workers follows from, where it is not set, and from it how many connections an embedded server takes. */
    private static final Set<String> SEARCHERS = Set.of("users", "tasks", "inFlight");

    /** Objectives of a feeder or a search that is left out are not applied, and are shown as such. */
    private static final Set<String> LEAVING_OUT = Set.of("eps", "rate", "searches");

    private static final Set<String> SERVERS =
            Set.of("parameters", "containerMemory", "containerCpus", "workers", "servers", SCENARIO);

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

    /**
     * What differed, by section and key.
     *
     * @param sides the parts that only some variants can have, since their servers are other ones
     */
    static List<Difference> between(List<Measured> all, List<Axis> axes, Sides sides) {
        Map<String, Set<String>> keys = new TreeMap<>();
        for (Measured run : all) {
            run.figures()
                    .environment()
                    .forEach((section, values) -> keys.computeIfAbsent(section, unused -> new TreeSet<>())
                            .addAll(values.keySet()));
        }
        List<Difference> differences = new ArrayList<>();
        keys.forEach((section, names) -> names.forEach(key -> {
            boolean defines = definesSearch(section, key);
            boolean mayVary = !defines && axes.stream().anyMatch(axis -> varies(axis.property(), section, key));
            Map<String, List<Integer>> positions = new LinkedHashMap<>();
            Map<String, String> first = new LinkedHashMap<>();
            boolean differs = false;
            for (Measured run : defines ? all : sides.concerned(all, section, key)) {
                String value = value(run, section, key);
                // A search that a run did not ask has nothing to be compared with.
                if (!defines || !value.equals(MISSING)) {
                    String known = first.computeIfAbsent(mayVary ? run.variant() : "", unused -> value);
                    differs |= !isSame(section, known, value);
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
        return List.copyOf(differences);
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
        return switch (section) {
            case SCENARIO -> property.equals(SCENARIO) || TARGETS.contains(property) || isPart(property, key);
            case "dataset" -> Set.of("dataset", "amplify", SCENARIO).contains(property);
            case TABLES ->
                STORED.contains(property)
                        || TARGETS.contains(property)
                        // Those of the trends that its tasks store.
                        || varied.matches("analysts[.].*[.]tasks");
            case "database" -> SERVERS.contains(property) || SEARCHERS.contains(property) || TARGETS.contains(property);
            case "drivers", "filesystem" -> TARGETS.contains(property);
            default -> false;
        };
    }

    /** Whether a value of the scenario is the property, a part of it, or what the property sets. */
    private static boolean isPart(String property, String key) {
        List<String> path = List.of(OF_A_LIST.matcher(key).replaceAll("").split("[.]"));
        return path.contains(property)
                || path.contains(IN_FILES.getOrDefault(property, property))
                || (SEARCHERS.contains(property) && key.equals("workers"))
                || (LEAVING_OUT.contains(property) && path.get(0).equals("objectives"));
    }

    /**
     * What the servers of named variants are, and which parts of the environment only some of them have: a directory of data on
     * this machine, a container, a host of their own. Such parts cannot be equal, and are no forbidden difference. Immutable.
     *
     * @param byPart the variants whose runs have it, of each part that all runs of some variants have, and none of the others
     */
    record Sides(Map<String, Set<String>> byPart) {
        static final Sides NONE = new Sides(Map.of());

        private static final List<String> OF_SERVER = List.of("target", "version", "provision", "url");

        /** The sides of these runs; none where variants have no names. */
        static Sides of(Experiment experiment, List<Measured> runs) {
            if (!experiment.isOfNamed()) {
                return NONE;
            }
            Set<String> parts = new TreeSet<>();
            runs.forEach(run -> parts.addAll(parts(run)));
            Map<String, Set<String>> byPart = new TreeMap<>();
            for (String part : parts) {
                Set<String> having = new LinkedHashSet<>();
                Set<String> missing = new LinkedHashSet<>();
                runs.forEach(run -> (parts(run).contains(part) ? having : missing).add(run.variant()));
                if (!missing.isEmpty() && Collections.disjoint(missing, having)) {
                    byPart.put(part, having);
                }
            }
            return new Sides(byPart);
        }

        private static Set<String> parts(Measured run) {
            Set<String> parts = new TreeSet<>();
            run.figures()
                    .environment()
                    .forEach((section, values) -> values.keySet().forEach(key -> parts.add(part(section, key))));
            return parts;
        }

        /** A section, or that of its parts which the key belongs to: {@code filesystem data} for {@code data.type}. */
        private static String part(String section, String key) {
            int dot = key.indexOf('.');
            return dot < 0 ? section : section + " " + key.substring(0, dot);
        }

        /** Those of the runs that have what the key belongs to, where only some variants have it; otherwise all. */
        private List<Measured> concerned(List<Measured> runs, String section, String key) {
            Set<String> variants = byPart.getOrDefault(part(section, key), Set.of());
            return runs.stream()
                    .filter(run -> variants.isEmpty() || variants.contains(run.variant()))
                    .toList();
        }

        /** What each variant of an experiment by names ran on. */
        List<Side> described(Experiment experiment, List<Measured> runs) {
            List<Side> sides = new ArrayList<>();
            for (String name : experiment.names()) {
                Map<String, String> server = new LinkedHashMap<>();
                for (Measured run : runs) {
                    if (run.variant().equals(name) && server.isEmpty()) {
                        Map<String, String> database =
                                run.figures().environment().getOrDefault("database", Map.of());
                        OF_SERVER.forEach(key ->
                                Optional.ofNullable(database.get(key)).ifPresent(value -> server.put(key, value)));
                    }
                }
                List<String> alone = new ArrayList<>();
                byPart.forEach((part, variants) -> {
                    if (variants.contains(name)) {
                        alone.add(part);
                    }
                });
                sides.add(new Side(name, server, alone));
            }
            return sides;
        }
    }
}
