package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import siemload.compare.experiment.Comparison.Side;
import siemload.compare.experiment.Differences.RunFacts;

/**
 * What the servers of named variants are, and which parts of the environment only some of them have: a directory of data on
 * this machine, a container, a host of their own. Such parts cannot be equal, and are no forbidden difference. Immutable.
 *
 * @param byPart the variants whose runs have it, of each part that all runs of some variants have, and none of the others
 */
record Sides(Map<String, Set<String>> byPart) {
    private static final List<String> OF_SERVER = List.of("target", "version", "provision", "url");
    private static final String DATABASE = "database";

    /** The sides of these runs; none where variants have no names. */
    static Sides of(Experiment experiment, List<RunFacts> runs) {
        Map<String, Set<String>> having = new TreeMap<>();
        Map<String, Set<String>> missing = new TreeMap<>();
        Set<String> parts = new TreeSet<>();
        if (experiment.isOfNamed()) {
            runs.forEach(run -> parts.addAll(parts(run)));
        }
        for (RunFacts run : runs) {
            Set<String> own = parts(run);
            parts.forEach(part -> (own.contains(part) ? having : missing)
                    .computeIfAbsent(part, unused -> new LinkedHashSet<>())
                    .add(run.variant()));
        }
        having.keySet().removeIf(part -> {
            Set<String> others = new LinkedHashSet<>(missing.getOrDefault(part, Set.of()));
            boolean all = others.isEmpty();
            return all || others.removeAll(having.getOrDefault(part, Set.of()));
        });
        return new Sides(having);
    }

    private static Set<String> parts(RunFacts run) {
        Set<String> parts = new TreeSet<>();
        run.environment().forEach((section, values) -> values.keySet().forEach(key -> parts.add(part(section, key))));
        return parts;
    }

    /** A section, or that of its parts which the key belongs to: {@code filesystem data} for {@code data.type}. */
    private static String part(String section, String key) {
        int dot = key.indexOf('.');
        return dot < 0 ? section : section + " " + key.substring(0, dot);
    }

    /** Those of the runs that have what the key belongs to, where only some variants have it; otherwise all. */
    List<RunFacts> concerned(List<RunFacts> runs, String section, String key) {
        Set<String> variants = byPart.getOrDefault(part(section, key), Set.of());
        return variants.isEmpty()
                ? runs
                : runs.stream().filter(run -> variants.contains(run.variant())).toList();
    }

    /** What each variant of an experiment by names ran on. */
    List<Side> described(Experiment experiment, List<RunFacts> runs) {
        List<Side> sides = new ArrayList<>();
        for (String name : experiment.names()) {
            Map<String, String> server = new LinkedHashMap<>();
            runs.stream()
                    .filter(run -> run.variant().equals(name))
                    .limit(1)
                    .map(run -> run.environment().getOrDefault(DATABASE, Map.of()))
                    .forEach(database -> OF_SERVER.stream()
                            .filter(database::containsKey)
                            .forEach(key -> server.put(key, database.getOrDefault(key, ""))));
            sides.add(new Side(
                    name,
                    server,
                    byPart.entrySet().stream()
                            .filter(part -> part.getValue().contains(name))
                            .map(Map.Entry::getKey)
                            .toList()));
        }
        return sides;
    }
}
