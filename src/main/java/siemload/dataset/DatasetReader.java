package siemload.dataset;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Problems;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.event.AddressRange;
import siemload.query.SearchDefinition;

/** Reads the file of a generated data set. Stateless and thread-safe. */
public final class DatasetReader {
    private static final ValueType<Integer> WEIGHT = ValueType.wholeNumber(1, EventProfile.LARGEST_WEIGHT);

    private DatasetReader() {}

    /**
     * Reads a file and the profile that it names.
     *
     * @throws ConfigException with everything that is wrong, each with file, line and column
     */
    public static DatasetSpec read(Path file) {
        Problems problems = new Problems();
        YamlRecords records = new YamlRecords(value -> {})
                .with("searched address", SearchDefinition.ADDRESS)
                .with(AddressRange.class, SearchDefinition.RANGE);
        records.reading(EventProfile.class, (node, type, allowed) -> profile(file, node, records, problems))
                .reading(Map.class, (weights, type, allowed) -> {
                    if (weights.isMapping() && weights.entries().isEmpty()) {
                        weights.problem("is empty (allowed: at least one entry)");
                    }
                    return records.map(weights, records.keys(type, allowed), weight -> records.value(weight, WEIGHT))
                            .map(LinkedHashMap::new);
                });
        return YamlNode.read(file, file.toString(), problems, top -> written(top, records))
                .map(written -> written.named(nameOf(file)))
                .orElseThrow();
    }

    private static Optional<Written> written(YamlNode top, YamlRecords records) {
        Optional<Written> written = records.record(top, Written.class);
        top.optional("searched")
                .ifPresent(all -> all.entries().forEach((name, values) -> {
                    if (!name.matches("[a-z][A-Za-z0-9-]*") || name.equals(EventSource.DRAWN)) {
                        all.problemWithKey(
                                name,
                                "'" + name
                                        + "' is not a name of values (allowed: letters, digits and hyphens, a small"
                                        + " letter first, and not " + EventSource.DRAWN + ")");
                    }
                    written.flatMap(data ->
                                    Optional.ofNullable(data.searched.get(name)).flatMap(data::wrongTime))
                            .ifPresent(wrong -> values.required("until").problem(wrong));
                }));
        return written;
    }

    /** What a file says, where its profile may be the path of a file of its own. */
    record Written(
            String description,
            @Key(allowed = "1 to 1000000000") long events,
            Instant start,
            @Key(allowed = "1h to 3660d") Duration span,

            @Key(allowed = "-9223372036854775808 to 9223372036854775807")
            long seed,

            EventProfile profile,
            @Key(standard = "{}") SortedMap<String, SearchedValues> searched) {
        Written {
            if (!start.equals(start.truncatedTo(ChronoUnit.HOURS))) {
                throw new Misfit("start", start + " is not a whole hour in UTC (the day curve is by hours)");
            }
            if (!span.equals(Duration.ofHours(span.toHours()))) {
                throw new Misfit(
                        "span", Durations.format(span) + " is not a number of whole hours (the day curve is by hours)");
            }
            if (!Timeline.hasBusyHour(start, span, profile)) {
                throw new Misfit("span", "covers only hours of weight 0 (allowed: at least one with a weight above 0)");
            }
        }

        /** A search outside of the data would find nothing. */
        private Optional<String> wrongTime(SearchedValues values) {
            Instant end = start.plus(span);
            Instant from = values.from().orElse(start);
            Instant until = values.until().orElse(end);
            return from.isBefore(start) || until.isAfter(end) || !from.isBefore(until)
                    ? Optional.of("from " + from + " until " + until
                            + " is not a time of this data set (allowed: from " + start + " until " + end
                            + ", the first one earlier)")
                    : Optional.empty();
        }

        DatasetSpec named(String name) {
            return new DatasetSpec(name, description, events, start, span, seed, profile, searched);
        }
    }

    /** Either the profile itself, or the path of its file, seen from the data set's file. */
    private static Optional<EventProfile> profile(Path file, YamlNode node, YamlRecords records, Problems problems) {
        if (node.isMapping()) {
            return records.record(node, EventProfile.class);
        }
        Path profile = file.resolveSibling(node.text());
        if (!Files.exists(profile)) {
            node.problem("there is no file " + profile + " (allowed: a mapping, or a path seen from this file)");
            return Optional.empty();
        }
        try {
            return YamlNode.read(profile, profile.toString(), problems, top -> records.record(top, EventProfile.class));
        } catch (ConfigException alreadyNoted) {
            return Optional.empty();
        }
    }

    private static String nameOf(Path file) {
        return String.valueOf(file.getFileName()).replaceFirst("(?<=.)\\.[^.]*$", "");
    }
}
