package siemload.dataset.learn;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import siemload.dataset.EventProfile;
import siemload.dataset.EventProfile.Categories;
import siemload.dataset.EventProfile.Category;
import siemload.dataset.EventProfile.Details;
import siemload.dataset.EventProfile.Detector;
import siemload.dataset.EventProfile.Detectors;
import siemload.dataset.EventProfile.Endpoints;
import siemload.dataset.EventProfile.Port;
import siemload.dataset.EventProfile.PortTail;
import siemload.dataset.EventProfile.Ports;
import siemload.dataset.EventProfile.TargetKinds;
import siemload.dataset.EventProfile.Times;
import siemload.dataset.learn.EventCounts.Size;
import siemload.dataset.learn.EventCounts.TargetKind;
import siemload.event.AddressRange.Family;

/** A profile like the events that were counted, each parameter estimated from what the generator makes of it. Not thread-safe. */
final class LearntProfile {
    private static final double LONGEST_SECONDS = Duration.ofDays(30).toSeconds();
    private static final int MOST_DESCRIPTIONS = 20;
    /** So many standard deviations may counts be apart that are said to be alike. */
    private static final double ALIKE = 4;
    /** A network of 256 addresses is half full at most. */
    private static final double ADDRESSES_A_NETWORK = 128;

    private static final double OWN_PORT_SHARE = 0.01;
    private static final int OWN_PORT_COUNT = 20;
    private static final int MEAN_WEIGHT = 1_000;
    private static final Pattern NUMBER = Pattern.compile("0+");
    private static final Pattern AGGREGATION = Pattern.compile("[0-9]{1,3}:[0-5][0-9]:[0-5][0-9]");

    private final EventCounts counts;
    private final Pseudonyms names;
    private final Span span;
    /** How addresses and ports fit the law of their popularity, by the part of the profile. */
    final Map<String, PopularityLaw> laws = new LinkedHashMap<>();

    private final EventProfile profile;

    /** @param counts of one event or more */
    LearntProfile(EventCounts counts, Pseudonyms names) {
        this.counts = counts;
        this.names = names;
        span = Span.of(counts.hours.sorted(), counts.events());
        profile = new EventProfile(
                span.dayCurve,
                counts.families.share(Family.IP6),
                times(),
                categories(),
                detectors(),
                endpoints("sources", counts.sources),
                endpoints("targets", counts.targets),
                targetKinds(),
                ports(),
                details());
    }

    /** How many events lie far from all others in time, as a wrong clock makes them: they are left out of the span and the day curve. */
    long outside() {
        return span.outside;
    }

    /** The file of a data set like the original. */
    String dataset(String description, long seed, String profileName) {
        return String.format(
                Locale.ROOT,
                """
                # Learnt by ./siemload learn: as many events over as many hours as the original had.
                description: "%s"
                events: %d
                start: %s
                span: %dh
                seed: %d
                profile: profiles/%s
                """,
                description,
                counts.events(),
                Instant.ofEpochSecond(span.firstHour * 3_600),
                span.hours,
                seed,
                profileName);
    }

    private Times times() {
        long window = counts.window.usual().orElse(0L);
        return new Times(
                counts.ratio(EventCounts.FRACTION),
                longest(Size.LASTED),
                longest(Size.DELAY),
                counts.ratio("EventTime"),
                Frequencies.ratio(counts.window.all(), counts.events()),
                Duration.ofSeconds(Math.max(0, Math.min((long) LONGEST_SECONDS, window))));
    }

    /** All spans up to the longest are alike, so that it is twice the mean; the largest one would be that of a wrong clock. */
    private Duration longest(Size spans) {
        return Duration.ofSeconds(
                Math.round(Math.min(LONGEST_SECONDS, 2 * counts.size(spans).getMean())));
    }

    private Categories categories() {
        return new Categories(
                counts.ratio(EventCounts.MORE_CATEGORIES),
                counts.categories.ranked().stream()
                        .map(name -> new Category(
                                names.category(name),
                                percent(counts.categories, name),
                                names.types(counts.category(name).sourceTypes()),
                                descriptions(counts.category(name).descriptions)))
                        .toList());
    }

    private static <T> double percent(Frequencies<T> counted, T thing) {
        return Math.max(EventProfile.SMALLEST_SHARE, Math.rint(1e8 * counted.of(thing) / counted.all()) / 1e6);
    }

    /** Each once where all are about as frequent, or else as often as it has twentieths. */
    private List<String> descriptions(Frequencies<String> counted) {
        Frequencies<String> forms = new Frequencies<>(MOST_DESCRIPTIONS);
        Map<String, String> first = new HashMap<>();
        for (String form : counted.ranked()) {
            // Where an event names no port, the number of one is a number like others.
            String shape = NUMBER.matcher(form.replace("{port}", "0")).replaceAll("0");
            String kept = first.computeIfAbsent(shape, unused -> form);
            if (forms.of(kept) > 0 || forms.size() < MOST_DESCRIPTIONS) {
                forms.add(kept, counted.of(form));
            }
        }
        double mean = (double) forms.all() / Math.max(1, forms.size());
        boolean alike =
                forms.ranked().stream().allMatch(form -> Math.abs(forms.of(form) - mean) <= ALIKE * Math.sqrt(mean));
        List<String> list = new ArrayList<>();
        double owed = 0;
        for (String form : forms.ranked()) {
            owed += alike ? 1 : forms.share(form) * MOST_DESCRIPTIONS;
            for (; owed > 0.5 || list.isEmpty(); owed--) {
                list.add(names.description(form));
            }
        }
        return list.isEmpty() ? List.of("-") : list;
    }

    private Detectors detectors() {
        List<Detector> shares = new ArrayList<>();
        for (String name : counts.detectors.ranked()) {
            EventCounts.DetectorWords said = counts.detector(name);
            shares.add(new Detector(
                    names.detector(name),
                    percent(counts.detectors, name),
                    names.types(said.types()),
                    names.software(said.software()),
                    AGGREGATION.matcher(said.aggregation()).matches() ? said.aggregation() : ""));
        }
        return new Detectors(
                Frequencies.ratio(counts.relays.all(), counts.detectors.all()),
                counts.relays.usual().map(names::detector).orElse("relay"),
                shares.isEmpty() ? List.of(new Detector("detector-01", 1, List.of(), List.of(), "")) : shares);
    }

    /** The law is told from the family with more events, and holds for the other one as well. */
    private Endpoints endpoints(String name, EventCounts.Side side) {
        PopularityLaw.Occurrences ip4 = side.ip4.occurrences();
        PopularityLaw.Occurrences ip6 = side.ip6.occurrences();
        boolean mostlyIp6 = ip6.draws() > ip4.draws();
        PopularityLaw.Occurrences mostly = mostlyIp6 ? ip6 : ip4;
        PopularityLaw.Occurrences seldom = mostlyIp6 ? ip4 : ip6;
        double most = EventProfile.MOST_ADDRESSES;
        double addresses = 1;
        double others = 1;
        double networks = 1;
        double rankRoot = 2;
        if (mostly.distinct() > 0) {
            PopularityLaw law = PopularityLaw.of(mostly, most);
            laws.put(name, law);
            addresses = law.values();
            rankRoot = law.rankRoot();
            others = seldom.distinct() == 0 ? 1 : PopularityLaw.values(seldom, law.exponent(), most);
            networks = PopularityLaw.places(
                    mostly.distinct(),
                    (double) (mostlyIp6 ? side.ip6 : side.ip4).networks(),
                    EventProfile.MOST_NETWORKS);
        }
        double room = Math.ceil(Math.max(addresses, others) / ADDRESSES_A_NETWORK);
        return new Endpoints(
                (int) Math.rint(mostlyIp6 ? others : addresses),
                (int) Math.rint(mostlyIp6 ? addresses : others),
                rankRoot,
                (int) Math.min(EventProfile.MOST_NETWORKS, Math.max(room, Math.rint(networks))),
                List.of(),
                List.of(),
                side.perEvent.weights(1),
                side.hasPort.share(true));
    }

    private TargetKinds targetKinds() {
        Frequencies<Integer> bits = new Frequencies<>(33);
        counts.targets
                .networkBits
                .sorted()
                .forEach((number, count) -> bits.add(Math.max(EventProfile.LARGEST_NETWORK_BITS, number), count));
        return new TargetKinds(
                counts.targetKinds.weight(TargetKind.SINGLE),
                counts.targetKinds.weight(TargetKind.NETWORK),
                counts.targetKinds.weight(TargetKind.PORT_ONLY),
                counts.targetKinds.weight(TargetKind.NONE),
                bits.weights(24),
                Math.max(
                        EventProfile.LARGEST_IP6_NETWORK_BITS,
                        counts.targets.ip6NetworkBits.usual().orElse(64)));
    }

    /** Ports with a hundredth of all or more, from the most frequent down: these stand in a profile by themselves. */
    static List<Integer> ownPorts(EventCounts counts) {
        double least = Math.max(OWN_PORT_COUNT, counts.ports.all() * OWN_PORT_SHARE);
        return counts.ports.ranked().stream()
                .filter(port -> counts.ports.of(port) >= least)
                .toList();
    }

    private Ports ports() {
        List<Integer> own = ownPorts(counts);
        List<Port> shares = own.stream()
                .map(port -> new Port(port, percent(counts.ports, port), names.protocols(counts.protocols(port))))
                .toList();
        List<Integer> seldom = counts.ports.ranked();
        seldom.removeAll(own);
        if (seldom.isEmpty()) {
            return new Ports(shares, new PortTail(EventProfile.SMALLEST_SHARE, 1, 1, Map.of("tcp", 1)));
        }
        // Each port of the tail has one protocol, so ports are counted and not events.
        Frequencies<String> protocols = new Frequencies<>(seldom.size());
        seldom.forEach(port -> protocols.add(
                names.protocols(counts.protocols(port)).stream().findFirst().orElse("tcp")));
        int[] occurred =
                seldom.stream().mapToInt(port -> (int) counts.ports.of(port)).toArray();
        long draws = Arrays.stream(occurred).asLongStream().sum();
        PopularityLaw law =
                PopularityLaw.of(new PopularityLaw.Occurrences(draws, 1, occurred), EventProfile.MOST_TAIL_PORTS);
        laws.put("ports.tail", law);
        return new Ports(
                shares,
                new PortTail(
                        Math.max(EventProfile.SMALLEST_SHARE, 100 * Frequencies.ratio(draws, counts.ports.all())),
                        (int) law.values(),
                        law.rankRoot(),
                        protocols.weights("tcp")));
    }

    private Details details() {
        double sentences = counts.noteSentences.getMean();
        Histogram notes = counts.size(Size.NOTE);
        return new Details(
                counts.ratio("FlowCount"),
                counts.ratio("ConnCount"),
                Math.max(
                        1,
                        Math.min(
                                EventProfile.LARGEST_COUNT,
                                counts.size(Size.COUNT).getMaxValue())),
                counts.ratio("Note"),
                (int) Math.max(1, Math.min(EventProfile.MOST_SENTENCES, Math.rint(2 * sentences - 1))),
                notes.getTotalCount() == 0 ? List.of("-") : names.sentences(notes.getMean() / Math.max(1, sentences)),
                counts.ratio(EventCounts.STORAGE_TIME));
    }

    /**
     * Over which hours the events lie, and how busy each hour of the day is.
     *
     * @param firstHour since 1970
     * @param dayCurve the weight of each hour of the day, 1,000 on average
     * @param outside how many events were left out
     */
    private record Span(long firstHour, long hours, List<Integer> dayCurve, long outside) {
        private static final int LONGEST_HOURS = 3_660 * 24;
        /** Those at an end that are fewer together, and lie farther from all others, are left out. */
        private static final double FEW = 0.001;

        private static final int FAR_HOURS = 24;

        static Span of(SortedMap<Long, Long> counted, long all) {
            long first = end(new TreeMap<>(counted), all);
            TreeMap<Long, Long> backwards = new TreeMap<>(Comparator.reverseOrder());
            backwards.putAll(counted);
            long last = Math.min(end(backwards, all), first + LONGEST_HOURS - 1);
            SortedMap<Long, Long> inside = counted.subMap(first, last + 1);
            long events = inside.values().stream().mapToLong(Long::longValue).sum();
            double[] ofHour = new double[24];
            inside.forEach((hour, count) -> ofHour[Math.floorMod(hour, 24)] += count);
            double mean = (double) events / (last - first + 1);
            List<Integer> curve = new ArrayList<>();
            for (int hour = 0; hour < 24; hour++) {
                long times = Math.floorDiv(last - hour, 24L) - Math.floorDiv(first - 1 - hour, 24L);
                curve.add(times == 0 ? MEAN_WEIGHT : (int) Math.rint(MEAN_WEIGHT * ofHour[hour] / times / mean));
            }
            return new Span(first, last - first + 1, curve, all - events);
        }

        /** The first hour, from an end, that is not among the few far ones. */
        private static long end(SortedMap<Long, Long> hours, long all) {
            long first = hours.firstKey();
            long before = first;
            long events = 0;
            for (Map.Entry<Long, Long> hour : hours.entrySet()) {
                if (Math.abs(hour.getKey() - before) > FAR_HOURS) {
                    first = hour.getKey();
                }
                before = hour.getKey();
                events += hour.getValue();
                if (events > all * FEW) {
                    break;
                }
            }
            return first;
        }
    }

    /** The profile's file. */
    String yaml() throws JsonProcessingException {
        YAMLMapper mapper = YAMLMapper.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER, YAMLGenerator.Feature.SPLIT_LINES)
                .addModule(new SimpleModule()
                        .addSerializer(
                                new StdDelegatingSerializer(Duration.class, new StdConverter<Duration, String>() {
                                    @Override
                                    public String convert(Duration value) {
                                        return value.toSeconds() + "s";
                                    }
                                })))
                .build();
        // A detector without a window has no aggregation.
        mapper.configOverride(String.class)
                .setInclude(JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, JsonInclude.Include.ALWAYS));
        return String.format(Locale.ROOT, "# Learnt by ./siemload learn from %,d events.\n", counts.events())
                + mapper.writeValueAsString(profile);
    }
}
