package siemload.scenario;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.YamlNode;
import siemload.scenario.Procedure.Kind;

/** Which keys and settings are for which kinds of procedures. */
record ProcedureKeys(Settings settings, Problems problems) {
    private static final Set<Kind> SEARCHING = EnumSet.of(
            Kind.READ, Kind.DEPTH, Kind.FOLLOWUPS, Kind.FEED, Kind.STALE, Kind.NOISY, Kind.JOBS, Kind.CERTIFICATE);
    private static final Set<Kind> REPEATING =
            EnumSet.of(Kind.READ, Kind.DEPTH, Kind.FOLLOWUPS, Kind.FEED, Kind.STALE, Kind.JOBS, Kind.INGEST);
    private static final Set<Kind> FEEDING = EnumSet.of(Kind.FEED, Kind.STALE, Kind.CERTIFICATE);
    private static final Set<Kind> CACHED = EnumSet.of(Kind.READ, Kind.DEPTH, Kind.FOLLOWUPS);
    private static final Set<Kind> LOADING = EnumSet.of(Kind.LOAD, Kind.INDEXES);

    private static final Map<String, Set<Kind>> BY_KEY = byKey();

    private static final List<Property<?>> OF_ANALYSTS =
            List.of(Property.EPS, Property.ARRIVALS, Property.THINK_TIME, Property.WORKERS, Property.OBJECTIVES);

    private static Map<String, Set<Kind>> byKey() {
        Map<String, Set<Kind>> kinds = new LinkedHashMap<>();
        List.of("searches", "order", "window", "popularity", "listLength", "page")
                .forEach(key -> kinds.put(key, SEARCHING));
        kinds.put("searched", CACHED);
        kinds.put("count", EnumSet.of(Kind.READ));
        kinds.put("passes", REPEATING);
        kinds.put("caches", CACHED);
        kinds.put("cycles", LOADING);
        kinds.put("depths", EnumSet.of(Kind.DEPTH));
        kinds.put("whole", EnumSet.of(Kind.DEPTH));
        kinds.put("changes", EnumSet.of(Kind.FOLLOWUPS));
        kinds.put("events", FEEDING);
        kinds.put("batch", EnumSet.of(Kind.FEED, Kind.STALE, Kind.CERTIFICATE, Kind.INGEST));
        kinds.put("connections", EnumSet.of(Kind.FEED, Kind.INGEST));
        kinds.put("statistics", EnumSet.of(Kind.STALE));
        kinds.put("users", EnumSet.of(Kind.NOISY, Kind.TRANSACTIONS));
        kinds.put("third", EnumSet.of(Kind.NOISY));
        List.of("levels", "itemSearches", "inFlight").forEach(key -> kinds.put(key, EnumSet.of(Kind.JOBS)));
        kinds.put("servers", EnumSet.of(Kind.JOBS, Kind.INGEST));
        for (String key : List.of("writing", "matching", "turns", "peakFactor", "retention")) {
            kinds.put(key, EnumSet.of(Kind.INGEST));
        }
        kinds.put("draws", EnumSet.of(Kind.CERTIFICATE));
        for (String key : List.of("accounts", "classes", "warmup", "duration", "crash")) {
            kinds.put(key, EnumSet.of(Kind.TRANSACTIONS));
        }
        return kinds;
    }

    /** Which kinds take a property: those that have a key of its name, or of the one it says something of; the duration is that
     * of all thirds. */
    private static Optional<Set<Kind>> takers(Property<?> property) {
        return property == Property.DURATION
                ? Optional.of(EnumSet.of(Kind.NOISY, Kind.TRANSACTIONS))
                : Optional.ofNullable(BY_KEY.get(property.name()));
    }

    /** The keys of all kinds. */
    static Set<String> all() {
        return BY_KEY.keySet();
    }

    /** Notes the keys and the settings that a procedure of this kind has no use for. */
    void check(YamlNode node, Kind kind) {
        BY_KEY.forEach((key, kinds) -> node.optional(key)
                .filter(written -> !kinds.contains(kind))
                .ifPresent(misplaced -> misplaced.problem(isFor(kinds, kind))));
        for (Property<?> property : Property.all()) {
            Optional<Set<Kind>> kinds = takers(property);
            settings.given(property)
                    .filter(setting -> kinds.isPresent() && !kinds.orElseThrow().contains(kind))
                    .ifPresent(setting -> problems.add(setting.origin(), isFor(kinds.orElseThrow(), kind)));
        }
        settings.refuseGiven(OF_ANALYSTS, "is for analysts, but this scenario is a procedure (leave it out)", problems);
    }

    private static String isFor(Set<Kind> kinds, Kind kind) {
        String labels = kinds.stream().map(Kind::label).collect(Collectors.joining(", "));
        return "is for kind: " + labels + ", but this procedure is of kind: " + kind.label() + " (leave it out)";
    }
}
