package siemload.dataset;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Problems;
import siemload.config.ValueType;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.event.AddressRange;
import siemload.query.SearchReader;

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
        return YamlDocument.read(file, file.toString(), problems, top -> spec(file, top, problems));
    }

    /** What a file says beside its profile, which may lie in a file of its own. */
    record Written(
            String description,
            @Key(allowed = "1 to 1000000000") long events,
            Instant start,
            @Key(allowed = "1h to 3660d") Duration span,

            @Key(allowed = "-9223372036854775808 to 9223372036854775807")
            long seed) {
        Written {
            if (!start.equals(start.truncatedTo(ChronoUnit.HOURS))) {
                throw new Misfit("start", start + " is not a whole hour in UTC (the day curve is by hours)");
            }
            if (!span.equals(Duration.ofHours(span.toHours()))) {
                throw new Misfit(
                        "span", Durations.format(span) + " is not a number of whole hours (the day curve is by hours)");
            }
        }
    }

    private static DatasetSpec spec(Path file, YamlNode top, Problems problems) {
        YamlRecords records = new YamlRecords(value -> {})
                .with("searched address", SearchReader.ADDRESS)
                .with(AddressRange.class, SearchReader.RANGE);
        Optional<Written> written = records.record(top, Written.class);
        YamlNode ofProfile = top.required("profile");
        Map<String, SearchedValues> searched = new LinkedHashMap<>();
        top.optional("searched")
                .ifPresent(all -> all.entries().forEach((name, node) -> {
                    if (!name.matches("[a-z][A-Za-z0-9-]*") || name.equals(EventSource.DRAWN)) {
                        all.problemWithKey(
                                name,
                                "is no name of values (allowed: letters, digits and hyphens, a small letter first, and not "
                                        + EventSource.DRAWN + ")");
                    }
                    records.record(node, SearchedValues.class).ifPresent(one -> {
                        written.ifPresent(data -> checkTime(node, one, data));
                        searched.put(name, one);
                    });
                }));
        EventProfile profile = profile(file, ofProfile, problems);
        Written good = written.orElseThrow(() -> new IllegalArgumentException("no data set"));
        DatasetSpec spec = new DatasetSpec(
                nameOf(file), good.description, good.events, good.start, good.span, good.seed, profile, searched);
        if (problems.isEmpty() && !Timeline.hasBusyHour(spec)) {
            top.required("span").problem("covers only hours of weight 0 (allowed: at least one with a weight above 0)");
        }
        return spec;
    }

    /** A search outside of the data would find nothing. */
    private static void checkTime(YamlNode node, SearchedValues searched, Written data) {
        Instant end = data.start.plus(data.span);
        searched.between()
                .filter(time -> time.from().isBefore(data.start)
                        || time.until().isAfter(end)
                        || !time.from().isBefore(time.until()))
                .ifPresent(time -> node.required("until")
                        .problem("from " + time.from() + " until " + time.until()
                                + " is no time of this data set (allowed: from " + data.start + " until " + end
                                + ", the first one earlier)"));
    }

    /** Either the profile itself, or the path of its file, seen from the data set's file. */
    private static EventProfile profile(Path file, YamlNode node, Problems problems) {
        if (node.isMapping()) {
            return profileOf(node);
        }
        Path profile = file.resolveSibling(node.text());
        if (!Files.exists(profile)) {
            node.problem("there is no file " + profile + " (allowed: a mapping, or a path seen from this file)");
            throw new IllegalArgumentException("no profile");
        }
        try {
            return YamlDocument.read(profile, profile.toString(), problems, DatasetReader::profileOf);
        } catch (ConfigException alreadyNoted) {
            throw new IllegalArgumentException("the profile cannot be used", alreadyNoted);
        }
    }

    /** What the events of a data set look like: the components of {@link EventProfile} say what there may be. */
    private static EventProfile profileOf(YamlNode node) {
        YamlRecords records = new YamlRecords(value -> {}).with(AddressRange.class, SearchReader.RANGE);
        records.reading(Map.class, (weights, type, allowed) -> {
            if (weights.isMapping() && weights.entries().isEmpty()) {
                weights.problem("is empty (allowed: at least one entry)");
            }
            return records.map(weights, records.keys(type, allowed), weight -> records.value(weight, WEIGHT))
                    .map(LinkedHashMap::new);
        });
        return records.record(node, EventProfile.class)
                .orElseThrow(() -> new IllegalArgumentException("the profile cannot be used"));
    }

    private static String nameOf(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }
}
