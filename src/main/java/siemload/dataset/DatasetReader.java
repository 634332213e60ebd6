package siemload.dataset;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import siemload.config.ConfigException;
import siemload.config.Problems;
import siemload.config.ValueType;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.dataset.EventProfile.Endpoints;
import siemload.dataset.EventProfile.Filled;
import siemload.dataset.EventProfile.KnownAddresses;
import siemload.dataset.EventProfile.MayLack;
import siemload.dataset.EventProfile.TargetKinds;
import siemload.dataset.EventProfile.Within;
import siemload.dataset.SearchedValues.Between;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.query.SearchReader;

/** Reads the file of a generated data set. Stateless and thread-safe. */
public final class DatasetReader {
    private static final long MOST_EVENTS = 1_000_000_000;
    private static final Duration LONGEST_SPAN = Duration.ofDays(3_660);

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

    private static DatasetSpec spec(Path file, YamlNode top, Problems problems) {
        String description = top.required("description").text();
        long events = top.required("events").wholeNumber(1, MOST_EVENTS);
        Instant start = wholeHour(top.required("start"));
        Duration span = wholeHours(top.required("span"));
        long seed = top.required("seed").wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE);
        EventProfile profile = profile(file, top.required("profile"), problems);
        Map<String, SearchedValues> searched = top.optional("searched")
                .map(node -> searched(node, start, span))
                .orElse(Map.of());
        DatasetSpec spec = new DatasetSpec(nameOf(file), description, events, start, span, seed, profile, searched);
        if (problems.isEmpty() && !Timeline.hasBusyHour(spec)) {
            top.required("span").problem("covers only hours of weight 0 (allowed: at least one with a weight above 0)");
        }
        return spec;
    }

    /** Either the profile itself, or the path of its file, seen from the data set's file. */
    private static EventProfile profile(Path file, YamlNode node, Problems problems) {
        if (node.isMapping()) {
            return ProfileReader.read(node);
        }
        Path profile = file.resolveSibling(node.text());
        if (!Files.exists(profile)) {
            node.problem("there is no file " + profile + " (allowed: a mapping, or a path seen from this file)");
            throw new IllegalArgumentException("no profile");
        }
        try {
            return YamlDocument.read(profile, profile.toString(), problems, ProfileReader::read);
        } catch (ConfigException alreadyNoted) {
            throw new IllegalArgumentException("the profile cannot be used", alreadyNoted);
        }
    }

    private static Instant wholeHour(YamlNode node) {
        Instant start = node.instant();
        if (start.getEpochSecond() % 3_600 != 0 || start.getNano() != 0) {
            node.problem(node.written() + " is not a whole hour in UTC (the day curve is by hours)");
        }
        return start;
    }

    private static Duration wholeHours(YamlNode node) {
        Duration span = node.duration(Duration.ofHours(1), LONGEST_SPAN);
        if (!span.equals(Duration.ofHours(span.toHours()))) {
            node.problem(node.written() + " is not a number of whole hours (the day curve is by hours)");
        }
        return span;
    }

    private static String nameOf(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    /**
     * The values of each name.
     *
     * @param start of the data set
     * @param span of the data set
     */
    private static Map<String, SearchedValues> searched(YamlNode searched, Instant start, Duration span) {
        Map<String, SearchedValues> sets = new LinkedHashMap<>();
        searched.entries().forEach((name, node) -> {
            if (!name.matches("[a-z][A-Za-z0-9-]*") || name.equals(EventSource.DRAWN)) {
                searched.problemWithKey(
                        name,
                        "is no name of values (allowed: letters, digits and hyphens, a small letter first, and not "
                                + EventSource.DRAWN + ")");
            }
            sets.put(
                    name,
                    new SearchedValues(
                            between(node, new Between(start, start.plus(span))),
                            node.optional("address").map(address -> address.as(SearchReader.ADDRESS)),
                            node.optional("range").map(range -> range.as(SearchReader.RANGE)),
                            node.optional("category").map(YamlNode::text),
                            node.optional("detector").map(YamlNode::text),
                            node.optional("port").map(port -> port.wholeNumber(0, 65_535))));
        });
        return sets;
    }

    /** Both ends, or none; a search outside of the data would find nothing. */
    private static Optional<Between> between(YamlNode node, Between data) {
        Optional<YamlNode> from = node.optional("from");
        Optional<YamlNode> until = node.optional("until");
        if (from.isEmpty() && until.isEmpty()) {
            return Optional.empty();
        }
        Instant first = node.required("from").instant();
        Instant last = node.required("until").instant();
        boolean inside = !first.isBefore(data.from()) && !last.isAfter(data.until());
        if (from.isPresent() && until.isPresent() && (!first.isBefore(last) || !inside)) {
            until.orElseThrow()
                    .problem("from " + first + " until " + last + " is no time of this data set (allowed: from "
                            + data.from() + " until " + data.until() + ", the first one earlier)");
        }
        return Optional.of(new Between(first, last));
    }

    /** Reads what the events of a data set look like: the components of {@link EventProfile} say what there may be. */
    private static final class ProfileReader {
        private static final Duration LONGEST_LAG = Duration.ofDays(30);

        private ProfileReader() {}

        static EventProfile read(YamlNode node) {
            EventProfile profile = part(node, EventProfile.class);
            YamlNode curve = node.required("dayCurve");
            if (curve.isList() && profile.dayCurve().size() != 24) {
                curve.problem(
                        "has " + profile.dayCurve().size() + " weights (allowed: 24, one for each hour of the day)");
            }
            check(node.required("sources"), profile.sources());
            check(node.required("targets"), profile.targets());
            TargetKinds kinds = profile.targetKinds();
            if (kinds.single() + kinds.network() + kinds.portOnly() + kinds.none() == 0) {
                node.required("targetKinds")
                        .problem(
                                "all weights are 0 (allowed: at least one of single, network, portOnly, none above 0)");
            }
            return profile;
        }

        /** A mapping whose keys are the components of a record. */
        private static <R> R part(YamlNode node, Class<R> type) {
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            Object[] values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                JsonProperty other = components[i].getAccessor().getAnnotation(JsonProperty.class);
                String key = other == null ? components[i].getName() : other.value();
                types[i] = components[i].getType();
                boolean isGiven = node.optional(key).isPresent();
                values[i] = isGiven || !components[i].isAnnotationPresent(MayLack.class)
                        ? value(node.required(key), components[i].getGenericType(), components[i])
                        : types[i] == List.class ? List.of() : types[i] == String.class ? "" : 1;
            }
            try {
                return type.getDeclaredConstructor(types).newInstance(values);
            } catch (ReflectiveOperationException impossible) {
                throw new IllegalStateException(type + " cannot be made", impossible);
            }
        }

        private static Object value(YamlNode node, Type type, RecordComponent at) {
            if (type instanceof ParameterizedType generic) {
                Type element = generic.getActualTypeArguments()[0];
                return generic.getRawType() == List.class ? list(node, element, at) : weights(node, element, at);
            }
            Class<?> plain = (Class<?>) type;
            Within within = at.getAnnotation(Within.class);
            if (plain == String.class) {
                return node.text();
            } else if (plain == Duration.class) {
                return node.duration(Duration.ZERO, LONGEST_LAG);
            } else if (plain == AddressRange.class) {
                return node.as(SearchReader.RANGE);
            } else if (plain.isRecord()) {
                return part(node, plain);
            } else if (within == null) {
                return node.ratio();
            } else if (plain == double.class) {
                return node.number(within.from(), within.to());
            }
            return plain == long.class
                    ? node.wholeNumber((long) within.from(), (long) within.to())
                    : (Object) node.wholeNumber((int) within.from(), (int) within.to());
        }

        private static List<Object> list(YamlNode node, Type element, RecordComponent at) {
            List<Object> list = new ArrayList<>();
            node.elements().forEach(entry -> list.add(value(entry, element, at)));
            if (list.isEmpty() && node.isList() && at.isAnnotationPresent(Filled.class)) {
                node.problem("is empty (allowed: at least one entry)");
            }
            return list;
        }

        private static Map<Object, Integer> weights(YamlNode node, Type keys, RecordComponent at) {
            Within within = at.getAnnotation(Within.class);
            ValueType<?> type = within == null || keys == String.class
                    ? ValueType.text()
                    : ValueType.wholeNumber((int) within.from(), (int) within.to());
            Map<Object, Integer> weights = new LinkedHashMap<>();
            node.entries().forEach((key, value) -> {
                int weight = value.wholeNumber(1, EventProfile.LARGEST_WEIGHT);
                key(node, key, type).ifPresent(known -> weights.put(known, weight));
            });
            if (node.isMapping() && node.entries().isEmpty()) {
                node.problem("is empty (allowed: at least one entry)");
            }
            return weights;
        }

        private static <K> Optional<K> key(YamlNode node, String key, ValueType<K> type) {
            try {
                return Optional.of(type.parse(key));
            } catch (IllegalArgumentException e) {
                node.problemWithKey(key, String.valueOf(e.getMessage()));
                return Optional.empty();
            }
        }

        private static void check(YamlNode node, Endpoints endpoints) {
            checkRoom(node, endpoints, Family.IP4, endpoints.addresses());
            checkRoom(node, endpoints, Family.IP6, endpoints.ip6Addresses());
            checkRanks(node, endpoints);
        }

        /** Half of the networks' addresses must stay free: a fresh one is found by trying. */
        private static void checkRoom(YamlNode node, Endpoints endpoints, Family family, int addresses) {
            double room = endpoints.networks().stream()
                            .filter(network -> network.family() == family)
                            .mapToDouble(AddressRange::count)
                            .sum()
                    + endpoints.scatteredNetworks() * 256.0;
            if (room < 2.0 * addresses) {
                node.required("networks")
                        .problem("these and the scattered networks have room for "
                                + (long) room + " addresses of family " + family + " (needed: twice the " + addresses
                                + " that occur)");
            }
        }

        private static void checkRanks(YamlNode node, Endpoints endpoints) {
            Set<String> taken = new HashSet<>();
            List<YamlNode> places = node.required("known").elements();
            for (int i = 0; i < places.size(); i++) {
                KnownAddresses known = endpoints.known().get(i);
                Family family = known.range().family();
                int ranks = family == Family.IP4 ? endpoints.addresses() : endpoints.ip6Addresses();
                long last = known.rank() + (known.count() - 1L) * known.rankStep();
                if (known.count() > known.range().count()) {
                    places.get(i).problem(known.range() + " has fewer than " + known.count() + " addresses");
                } else if (last > ranks) {
                    places.get(i)
                            .problem("the last has rank " + last + " (allowed: up to the number of addresses, " + ranks
                                    + ")");
                } else if (!takesFree(known, taken)) {
                    places.get(i).problem("the same address or rank is known already (allowed: each once)");
                }
            }
        }

        private static boolean takesFree(KnownAddresses known, Set<String> taken) {
            return IntStream.range(0, known.count()).allMatch(i -> {
                String rank = known.range().family() + " " + (known.rank() + i * known.rankStep());
                String address = known.range().nth(i).toString();
                return taken.add(rank) && taken.add(address);
            });
        }
    }
}
