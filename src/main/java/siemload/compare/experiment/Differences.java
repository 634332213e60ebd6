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
import siemload.compare.experiment.Comparison.Side;

/**
 * Holds the environments of all runs against each other: nothing may differ but what the axis varies and what follows from
 * it. Runs of one cell must be alike in everything. Stateless.
 */
final class Differences {
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

    private Differences() {}

    /**
     * What a run had.
     *
     * @param position 1 for the first run
     */
    record RunFacts(int position, String variant, Map<String, Map<String, String>> environment) {}

    /**
     * What differed, by section and key.
     *
     * @param sides the parts that only some variants can have, since their servers are other ones
     */
    static List<Difference> between(List<RunFacts> all, List<Axis> axes, Sides sides) {
        List<Difference> differences = new ArrayList<>();
        Map<String, Set<String>> keys = new TreeMap<>();
        all.forEach(run -> run.environment()
                .forEach((section, values) ->
                        keys.computeIfAbsent(section, unused -> new TreeSet<>()).addAll(values.keySet())));
        keys.forEach((section, names) -> names.forEach(key -> {
            boolean defines = Difference.definesSearch(section, key);
            List<RunFacts> runs = defines ? having(all, section, key) : sides.concerned(all, section, key);
            boolean mayVary = !defines && axes.stream().anyMatch(axis -> varies(axis.property(), section, key));
            if (differs(runs, section, key, mayVary)) {
                differences.add(new Difference(section, key, values(runs, section, key)));
            }
        }));
        return List.copyOf(differences);
    }

    /** A search that a run did not ask has nothing to be compared with. */
    private static List<RunFacts> having(List<RunFacts> runs, String section, String key) {
        return runs.stream()
                .filter(run -> !value(run, section, key).equals(MISSING))
                .toList();
    }

    private static boolean differs(List<RunFacts> runs, String section, String key, boolean betweenCellsToo) {
        Map<String, String> first = new LinkedHashMap<>();
        for (RunFacts run : runs) {
            String group = betweenCellsToo ? run.variant() : "";
            String value = value(run, section, key);
            if (!isSame(section, first.computeIfAbsent(group, unused -> value), value)) {
                return true;
            }
        }
        return false;
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

    private static List<Difference.Value> values(List<RunFacts> runs, String section, String key) {
        Map<String, List<Integer>> positions = new LinkedHashMap<>();
        runs.forEach(run -> positions
                .computeIfAbsent(value(run, section, key), unused -> new ArrayList<>())
                .add(run.position()));
        return positions.entrySet().stream()
                .map(entry -> new Difference.Value(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static String value(RunFacts run, String section, String key) {
        return run.environment().getOrDefault(section, Map.of()).getOrDefault(key, MISSING);
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
        static Sides of(Experiment experiment, List<RunFacts> runs) {
            Map<String, Set<String>> having = new TreeMap<>();
            if (!experiment.isOfNamed()) {
                return NONE;
            }
            Map<String, Set<String>> mixed = new TreeMap<>();
            runs.forEach(run -> parts(run)
                    .forEach(part -> having.computeIfAbsent(part, unused -> new LinkedHashSet<>())
                            .add(run.variant())));
            runs.forEach(run -> {
                Set<String> own = parts(run);
                having.keySet().stream()
                        .filter(part -> !own.contains(part))
                        .forEach(part -> mixed.computeIfAbsent(part, unused -> new LinkedHashSet<>())
                                .add(run.variant()));
            });
            having.entrySet().removeIf(part -> {
                Set<String> missing = mixed.getOrDefault(part.getKey(), Set.of());
                return missing.isEmpty() || !Collections.disjoint(missing, part.getValue());
            });
            return new Sides(having);
        }

        private static Set<String> parts(RunFacts run) {
            Set<String> parts = new TreeSet<>();
            run.environment()
                    .forEach((section, values) -> values.keySet().forEach(key -> parts.add(part(section, key))));
            return parts;
        }

        /** A section, or that of its parts which the key belongs to: {@code filesystem data} for {@code data.type}. */
        private static String part(String section, String key) {
            int dot = key.indexOf('.');
            return dot < 0 ? section : section + " " + key.substring(0, dot);
        }

        /** Those of the runs that have what the key belongs to, where only some variants have it; otherwise all. */
        private List<RunFacts> concerned(List<RunFacts> runs, String section, String key) {
            Set<String> variants = byPart.getOrDefault(part(section, key), Set.of());
            return variants.isEmpty()
                    ? runs
                    : runs.stream()
                            .filter(run -> variants.contains(run.variant()))
                            .toList();
        }

        /** What each variant of an experiment by names ran on. */
        List<Side> described(Experiment experiment, List<RunFacts> runs) {
            List<Side> sides = new ArrayList<>();
            for (String name : experiment.names()) {
                Map<String, String> server = new LinkedHashMap<>();
                Map<String, String> database = runs.stream()
                        .filter(run -> run.variant().equals(name))
                        .findFirst()
                        .map(run -> run.environment().getOrDefault("database", Map.of()))
                        .orElse(Map.of());
                OF_SERVER.forEach(
                        key -> Optional.ofNullable(database.get(key)).ifPresent(value -> server.put(key, value)));
                sides.add(new Side(
                        name,
                        server,
                        byPart.keySet().stream()
                                .filter(part ->
                                        byPart.getOrDefault(part, Set.of()).contains(name))
                                .toList()));
            }
            return sides;
        }
    }
}
