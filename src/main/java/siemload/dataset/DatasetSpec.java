package siemload.dataset;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializerBase;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Problems;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Inline;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.event.AddressRange;
import siemload.query.SearchDefinition;
import siemload.query.Window;

/**
 * The specification of a generated data set, as its YAML file states it. Immutable. {@link #read} reports the place of a wrong value;
 * {@link EventGenerator} relies on values within their ranges.
 *
 * @param file the file with the specification
 * @param description one line for people
 * @param events the number of events
 * @param start the beginning of the first hour of the day curve; no event is earlier
 * @param span the time that the events cover, whole hours; no event is at {@code start + span} or later
 * @param seed the seed of all draws, which also depend on the profile
 * @param profile the properties of the events; the file may give the path of a separate profile instead
 * @param searched values that searches can ask for by a name; no event depends on them
 */
public record DatasetSpec(
        @JsonIgnore @Inline Path file,
        String description,
        @Key(allowed = "1 to 1000000000") long events,
        Instant start,
        @Key(allowed = "1h to 3660d") Duration span,

        @Key(allowed = "-9223372036854775808 to 9223372036854775807")
        long seed,

        EventProfile profile,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Key(standard = "{}")
        Map<String, SearchedValues> searched) {
    private static final ValueType<Integer> SHARE = ValueType.wholeNumber(1, EventProfile.LARGEST_WEIGHT);

    public DatasetSpec {
        if (!start.equals(start.truncatedTo(ChronoUnit.HOURS))) {
            throw new Misfit("start", start + " is not a whole hour in UTC (the day curve is hourly)");
        }
        if (!span.equals(Duration.ofHours(span.toHours()))) {
            throw new Misfit(
                    "span", Durations.format(span) + " is not a number of whole hours (the day curve is hourly)");
        }
        if (!EventGenerator.hasBusyHour(start, span, profile)) {
            throw new Misfit("span", "covers only hours of weight 0 (allowed: at least one hour of a weight above 0)");
        }
        searched = Collections.unmodifiableMap(new TreeMap<>(searched));
        Instant end = start.plus(span);
        List<Misfit> wrong = new ArrayList<>();
        for (Map.Entry<String, SearchedValues> values : searched.entrySet()) {
            String name = values.getKey();
            if (!name.matches("[a-z][A-Za-z0-9-]*") || name.equals(EventSource.DRAWN)) {
                wrong.add(new Misfit(
                        "searched." + name,
                        "'" + name + "' is not a name for searched values (allowed: letters, digits and hyphens,"
                                + " a lower-case letter first, and not " + EventSource.DRAWN + ")"));
            }
            Instant from = values.getValue().from().orElse(start);
            Instant until = values.getValue().until().orElse(end);
            // A search outside of the data would find nothing.
            if (from.isBefore(start) || until.isAfter(end) || !from.isBefore(until)) {
                wrong.add(new Misfit(
                        "searched." + name + ".until",
                        "from " + from + " until " + until + " is not a time range in this data set (allowed: from "
                                + start + " until " + end + ", with the start first)"));
            }
        }
        if (!wrong.isEmpty()) {
            wrong.stream().skip(1).forEach(wrong.get(0)::addSuppressed);
            throw wrong.get(0);
        }
    }

    /** The name of the file without its extension. */
    public String name() {
        return String.valueOf(file.getFileName()).replaceFirst("(?<=.)\\.[^.]*$", "");
    }

    /** Returns this data set with another seed. */
    public DatasetSpec withSeed(long otherSeed) {
        return new DatasetSpec(file, description, events, start, span, otherSeed, profile, searched);
    }

    /** Returns this data set with another number of events. */
    public DatasetSpec withEvents(long otherEvents) {
        return new DatasetSpec(file, description, otherEvents, start, span, seed, profile, searched);
    }

    /**
     * Reads a file and the profile that it names.
     *
     * @throws ConfigException with all problems, each with file, line and column
     */
    public static DatasetSpec read(Path file) {
        Problems problems = new Problems();
        YamlRecords records = new YamlRecords(value -> {})
                .with("searched address", SearchDefinition.ADDRESS)
                .with(AddressRange.class, SearchDefinition.RANGE)
                .reading(Path.class, itself -> Optional.of(file));
        records.reading(EventProfile.class, node -> profile(file, node, records, problems))
                .reading(SortedMap.class, (weights, type, allowed) -> {
                    if (weights.isMapping() && weights.entries().isEmpty()) {
                        weights.problem("is empty (allowed: at least one entry)");
                    }
                    return records.map(weights, records.keys(type, allowed), weight -> records.value(weight, SHARE))
                            .map(TreeMap::new)
                            .map(Collections::unmodifiableSortedMap);
                });
        return YamlNode.read(file, file.toString(), problems, top -> records.record(top, DatasetSpec.class))
                .orElseThrow();
    }

    /**
     * Writes a data set to its file, with missing directories, and reads it again; an existing file is replaced.
     *
     * @param comment the first line of the file
     * @throws UncheckedIOException if it cannot be written
     */
    public static DatasetSpec written(DatasetSpec data, String comment) {
        ToStringSerializerBase durations = new ToStringSerializerBase(Duration.class) {
            private static final long serialVersionUID = 1;

            @Override
            public String valueToString(Object duration) {
                return Durations.format((Duration) duration);
            }
        };
        YAMLMapper yaml = YAMLMapper.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER, YAMLGenerator.Feature.SPLIT_LINES)
                .addModule(new SimpleModule()
                        .addSerializer(Duration.class, durations)
                        .addSerializer(Instant.class, ToStringSerializer.instance))
                .build();
        try {
            Files.createDirectories(data.file().toAbsolutePath().resolveSibling(""));
            Files.writeString(data.file(), "# " + comment + "\n" + yaml.writeValueAsString(data));
        } catch (IOException e) {
            throw new UncheckedIOException(data.file() + " cannot be written", e);
        }
        return read(data.file());
    }

    /** Reads the profile from its node, or from the file whose path the node gives, relative to the data set's file. */
    private static Optional<EventProfile> profile(Path file, YamlNode node, YamlRecords records, Problems problems) {
        if (node.isMapping()) {
            return records.record(node, EventProfile.class);
        }
        Path profile = file.resolveSibling(node.text());
        if (!Files.exists(profile)) {
            node.problem("there is no file " + profile + " (allowed: a mapping, or a path relative to this file)");
            return Optional.empty();
        }
        try {
            return YamlNode.read(profile, profile.toString(), problems, top -> records.record(top, EventProfile.class));
        } catch (ConfigException alreadyNoted) {
            return Optional.empty();
        }
    }

    /**
     * The values that a study searched for, to repeat the study's searches: every run uses these values, and draws only the empty ones.
     * Immutable.
     *
     * @param from the start of the detect times
     * @param until the end of the detect times, excluded; present if {@code from} is present
     * @param address a single address
     * @param range a range of addresses, with its first and its last address
     * @param category a category, exactly as events have it
     * @param detector the name of a node
     * @param port a transport port, 0 to 65535
     */
    public record SearchedValues(
            Optional<Instant> from,
            Optional<Instant> until,
            @Key(allowed = "searched address") Optional<AddressRange> address,
            Optional<AddressRange> range,
            Optional<String> category,
            Optional<String> detector,
            @Key(allowed = "0 to 65535") Optional<Integer> port) {

        /** No searched value is given, so all values are drawn. */
        public static final SearchedValues NONE = new SearchedValues(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        public SearchedValues {
            if (from.isPresent() != until.isPresent()) {
                throw new IllegalArgumentException("has only one of from and until (needed: both or neither)");
            }
        }

        /** The searched time range. */
        public Optional<Window> between() {
            return from.map(first -> new Window(first, until.orElseThrow()));
        }
    }
}
