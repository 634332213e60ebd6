package siemload.dataset;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import siemload.config.ConfigException;
import siemload.config.Durations;
import siemload.config.Problems;
import siemload.config.ValueType;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.dataset.EventProfile.Endpoints;
import siemload.dataset.EventProfile.KnownAddresses;
import siemload.dataset.EventProfile.TargetKinds;
import siemload.dataset.SearchedValues.Between;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.query.SearchReader;

/** Reads the file of a generated data set. Stateless and thread-safe. */
public final class DatasetReader {
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
        YamlRecords records = new YamlRecords(value -> {}).with("searched address", SearchReader.ADDRESS);
        records.with(AddressRange.class, SearchReader.RANGE);
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
                    records.record(node, Searched.class)
                            .ifPresent(one -> searched.put(name, one.values(node, written)));
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

    /** Values that a data set names for those who search it. */
    record Searched(
            Optional<Instant> from,
            Optional<Instant> until,
            @Key(allowed = "searched address") Optional<AddressRange> address,
            Optional<AddressRange> range,
            Optional<String> category,
            Optional<String> detector,
            @Key(allowed = "0 to 65535") Optional<Integer> port) {
        Searched {
            if (from.isPresent() != until.isPresent()) {
                throw new IllegalArgumentException("has one end of a time alone (needed: from and until, or none)");
            }
        }

        /** A search outside of the data would find nothing. */
        SearchedValues values(YamlNode node, Optional<Written> data) {
            data.filter(written -> from.isPresent()).ifPresent(written -> {
                Instant end = written.start.plus(written.span);
                Instant first = from.orElseThrow();
                Instant last = until.orElseThrow();
                if (first.isBefore(written.start) || last.isAfter(end) || !first.isBefore(last)) {
                    node.required("until")
                            .problem("from " + first + " until " + last + " is no time of this data set (allowed: from "
                                    + written.start + " until " + end + ", the first one earlier)");
                }
            });
            Optional<Between> between = from.map(first -> new Between(first, until.orElseThrow()));
            return new SearchedValues(between, address, range, category, detector, port);
        }
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

    private static String nameOf(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    /** Reads what the events of a data set look like: the components of {@link EventProfile} say what there may be. */
    private static final class ProfileReader {
        private static final ValueType<Integer> WEIGHT = ValueType.wholeNumber(1, EventProfile.LARGEST_WEIGHT);

        private ProfileReader() {}

        static EventProfile read(YamlNode node) {
            YamlRecords records = new YamlRecords(value -> {}).with(AddressRange.class, SearchReader.RANGE);
            records.reading(
                    Map.class, (weights, type, allowed) -> weights(records, weights, records.keys(type, allowed)));
            EventProfile profile = records.record(node, EventProfile.class)
                    .orElseThrow(() -> new IllegalArgumentException("the profile cannot be used"));
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

        private static Optional<Map<Object, Integer>> weights(YamlRecords records, YamlNode node, ValueType<?> keys) {
            if (node.isMapping() && node.entries().isEmpty()) {
                node.problem("is empty (allowed: at least one entry)");
            }
            return records.map(node, keys, weight -> records.value(weight, WEIGHT))
                    .map(LinkedHashMap::new);
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
