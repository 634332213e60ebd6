package siemload.scenario;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.config.Choices;
import siemload.config.Property;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.query.MatchClass;
import siemload.query.SearchName;
import siemload.scenario.Ingest.Deployment;
import siemload.scenario.Ingest.Turns;
import siemload.scenario.Ingest.Way;
import siemload.scenario.Ingest.Writing;

/** Reads a procedure of kind ingest, and applies the settings that override it. Reads one procedure. */
record IngestReader(ProcedureReader reader) {
    private static final Choices<MatchClass> CLASSES = Choices.camelCase(MatchClass.class);
    private static final ValueType<Double> PEAK_FACTOR = ValueType.number(1, 1_000);
    private static final ValueType<Duration> RETENTION =
            ValueType.duration(Duration.ofDays(1), Duration.ofDays(36_600));
    private static final String NO_HINT = "none";

    Procedure read() {
        refuseHint();
        return new Ingest(
                writing(),
                matching(reader.node().required("matching")),
                reader.passes(),
                reader.servers(),
                reader.choice("turns", Choices.camelCase(Turns.class), "together"),
                deployment());
    }

    /** Whether it takes effect is proven by plans before the first step, when there is nothing to search yet. */
    private void refuseHint() {
        reader.settings()
                .setting(Property.HINT)
                .filter(hint -> !hint.value().equals(NO_HINT))
                .ifPresent(hint -> reader.problems()
                        .add(
                                hint.origin(),
                                "cannot be proven by a procedure of kind ingest, which begins with an empty store (leave it out,"
                                        + " or take one of kind read)"));
    }

    private Writing writing() {
        return new Writing(
                reader.choice("writing", Choices.camelCase(Way.class), "bulk"),
                reader.batch(),
                reader.log().optional(reader.node(), "connections", ProcedureReader.CONNECTIONS, "1"));
    }

    /** A summary of many events has few rows, and no first event. */
    private SortedMap<MatchClass, SearchName> matching(YamlNode matching) {
        ValueType<SearchName> listing = ValueType.choice(reader.catalog().listing());
        SortedMap<MatchClass, SearchName> searches = new TreeMap<>();
        matching.entries(CLASSES)
                .forEach((one, search) -> searches.put(one, reader.log().value(search, listing)));
        if (matching.isMapping() && matching.entries().isEmpty()) {
            matching.problem("is empty (needed: at least one class with its search, of "
                    + String.join(", ", List.copyOf(CLASSES.byName().keySet())) + ")");
        }
        return searches;
    }

    private Deployment deployment() {
        return new Deployment(
                reader.log().optional(reader.node(), "peakFactor", PEAK_FACTOR, "3"),
                reader.log().optional(reader.node(), "retention", RETENTION, "90d"));
    }
}
