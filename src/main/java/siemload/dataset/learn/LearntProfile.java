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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
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
import siemload.dataset.learn.EventCounts.TargetKind;
import siemload.event.AddressRange.Family;

/**
 * A profile like the events that were counted, each parameter estimated from what the generator makes of it. Not thread-safe,
 * since it notes what it meets.
 */
final class LearntProfile {
    private static final double LONGEST_SECONDS = Duration.ofDays(30).toSeconds();
    private static final int MOST_DESCRIPTIONS = 20;
    /** So many standard deviations may counts be apart that are said to be alike. */
    private static final double ALIKE = 4;
    /** A network of 256 addresses is half full at most. */
    private static final double ADDRESSES_A_NETWORK = 128;

    private static final int USUAL_NETWORK_BITS = 24;
    private static final int USUAL_IP6_NETWORK_BITS = 64;
    private static final double OWN_PORT_SHARE = 0.01;
    private static final int OWN_PORT_COUNT = 20;
    private static final int MEAN_WEIGHT = 1_000;
    private static final Pattern NUMBER = Pattern.compile("0+");
    private static final Pattern AGGREGATION = Pattern.compile("[0-9]{1,3}:[0-5][0-9]:[0-5][0-9]");

    private final EventCounts counts;
    private final Pseudonyms names;
    private final Span span;
    /** How addresses and ports fit the law of their popularity, by the part of the profile. */
    private final Map<String, PopularityLaw> laws = new LinkedHashMap<>();

    private final EventProfile profile;

    /** @param counts of one event or more; what the profile cannot say is counted there as well */
    LearntProfile(EventCounts counts, Pseudonyms names) {
        this.counts = counts;
        this.names = names;
        span = Span.of(counts.hours);
        counts.unmodelled.add(
                "events far from all others in time, left out of the span and the day curve", span.outside);
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

    EventProfile profile() {
        return profile;
    }

    Map<String, PopularityLaw> laws() {
        return laws;
    }

    /** The file of a data set like the original. */
    String dataset(String description, long seed, String profileName) {
        return "# Learnt by ./siemload learn: as many events over as many hours as the original had.\n"
                + "description: \"" + description + "\"\n"
                + "events: " + counts.events() + "\n"
                + "start: " + Instant.ofEpochSecond(span.firstHour * 3_600) + "\n"
                + "span: " + span.hours + "h\n"
                + "seed: " + seed + "\n"
                + "profile: profiles/" + profileName + "\n";
    }

    /** All spans up to the longest are alike, so that it is twice the mean; the largest one would be that of a wrong clock. */
    private static Duration longest(Histogram spans) {
        return Duration.ofSeconds(Math.round(Math.min(LONGEST_SECONDS, 2 * spans.getMean())));
    }

    private Times times() {
        long window = counts.window.usual().orElse(0L);
        return new Times(
                counts.fractionRatio(),
                longest(counts.lasted),
                longest(counts.delay),
                counts.keyRatio("EventTime"),
                Frequencies.ratio(counts.window.all(), counts.events()),
                Duration.ofSeconds(Math.max(0, Math.min((long) LONGEST_SECONDS, window))));
    }

    private Categories categories() {
        List<Category> shares = new ArrayList<>();
        for (String name : counts.categories.ranked()) {
            EventCounts.CategoryCounts counted = counts.category(name);
            shares.add(new Category(
                    names.category(name),
                    percent(counts.categories, name),
                    names.sourceTypes(counted.sourceTypes()),
                    descriptions(counted.descriptions)));
            if (!Pseudonyms.isStandard(name)) {
                counts.unmodelled.add(
                        "events whose category is not in the taxonomy of IDEA; generated under another name unless names are kept",
                        counts.categories.of(name));
            }
        }
        return new Categories(counts.secondCategoryRatio(), shares);
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
            if (forms.has(kept) || forms.size() < MOST_DESCRIPTIONS) {
                forms.add(kept, counted.of(form));
            }
        }
        if (forms.size() == 0) {
            return List.of("-");
        }
        double mean = (double) forms.all() / forms.size();
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
        return list;
    }

    private Detectors detectors() {
        List<Detector> shares = new ArrayList<>();
        for (String name : counts.detectors.ranked()) {
            EventCounts.DetectorWords said = counts.detector(name);
            shares.add(new Detector(
                    names.detector(name),
                    percent(counts.detectors, name),
                    names.nodeTypes(said.types()),
                    names.software(said.software()),
                    AGGREGATION.matcher(said.aggregation()).matches() ? said.aggregation() : ""));
        }
        if (shares.isEmpty()) {
            shares.add(new Detector("detector-01", 1, List.of(), List.of(), ""));
        }
        Frequencies<String> relays = counts.relays;
        relays.usual()
                .ifPresent(usual -> counts.unmodelled.add(EventCounts.MORE_RELAYS, relays.all() - relays.of(usual)));
        return new Detectors(
                Frequencies.ratio(relays.all(), counts.detectors.all()),
                relays.usual().map(names::detector).orElse("relay"),
                shares);
    }

    /** The law is told from the family with more events, and holds for the other one as well. */
    private Endpoints endpoints(String name, EventCounts.Side side) {
        boolean mostlyIp6 = side.ip6.draws() > side.ip4.draws();
        Frequencies.Sample<?> other = mostlyIp6 ? side.ip4 : side.ip6;
        double addresses = 1;
        double others = 1;
        double networks = 1;
        double rankRoot = 2;
        double most = EventProfile.MOST_ADDRESSES;
        if (side.ip4.distinct() + side.ip6.distinct() > 0) {
            PopularityLaw law = PopularityLaw.of((mostlyIp6 ? side.ip6 : side.ip4).occurrences(), most);
            laws.put(name, law);
            addresses = law.values();
            rankRoot = law.rankRoot();
            others = other.distinct() == 0 ? 1 : PopularityLaw.values(other.occurrences(), law.exponent(), most);
            networks = PopularityLaw.places(
                    mostlyIp6 ? side.ip6.distinct() : side.ip4.distinct(),
                    mostlyIp6
                            ? side.ip6.groups(address -> address.firstHigh())
                            : side.ip4.groups(address -> address.firstLow() >>> 8),
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
                side.portRatio());
    }

    private TargetKinds targetKinds() {
        Frequencies<Integer> bits = new Frequencies<>(33);
        counts.networkBits.sorted(
                (number, count) -> bits.add(Math.max(EventProfile.LARGEST_NETWORK_BITS, number), count));
        return new TargetKinds(
                counts.targetKinds.weight(TargetKind.SINGLE),
                counts.targetKinds.weight(TargetKind.NETWORK),
                counts.targetKinds.weight(TargetKind.PORT_ONLY),
                counts.targetKinds.weight(TargetKind.NONE),
                bits.weights(USUAL_NETWORK_BITS),
                Math.max(
                        EventProfile.LARGEST_IP6_NETWORK_BITS,
                        counts.ip6NetworkBits.usual().orElse(USUAL_IP6_NETWORK_BITS)));
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
        int[] occurred =
                seldom.stream().mapToInt(port -> (int) counts.ports.of(port)).toArray();
        long draws = Arrays.stream(occurred).asLongStream().sum();
        // Each port of the tail has one protocol, so ports are counted and not events.
        Frequencies<String> protocols = new Frequencies<>(occurred.length);
        for (int port : seldom) {
            List<String> stack = names.protocols(counts.protocols(port));
            protocols.add(stack.isEmpty() ? "tcp" : stack.get(0));
        }
        PopularityLaw law =
                PopularityLaw.of(new PopularityLaw.Occurrences(draws, 1, occurred), EventProfile.MOST_TAIL_PORTS);
        laws.put("ports.tail", law);
        double share = 100 * Frequencies.ratio(draws, counts.ports.all());
        return new Ports(
                shares,
                new PortTail(
                        Math.max(EventProfile.SMALLEST_SHARE, share),
                        (int) law.values(),
                        law.rankRoot(),
                        protocols.weights("tcp")));
    }

    private Details details() {
        double sentences = counts.noteSentences.getMean();
        double characters = counts.noteCharacters.getMean() / Math.max(1, sentences);
        return new Details(
                counts.keyRatio("FlowCount"),
                counts.keyRatio("ConnCount"),
                Math.max(1, Math.min(EventProfile.LARGEST_COUNT, counts.counts.getMaxValue())),
                counts.keyRatio("Note"),
                (int) Math.max(1, Math.min(EventProfile.MOST_SENTENCES, Math.rint(2 * sentences - 1))),
                counts.noteCharacters.getTotalCount() == 0 ? List.of("-") : names.sentences(characters),
                counts.keyRatio("_CESNET"));
    }

    /**
     * Over which hours the events lie, and how busy each hour of the day is. A few events far from all others, which a wrong clock
     * makes, are left out.
     *
     * @param firstHour since 1970
     * @param dayCurve the weight of each hour of the day, 1,000 on average
     * @param outside how many events were left out
     */
    private record Span(long firstHour, long hours, List<Integer> dayCurve, long outside) {
        private static final int LONGEST_HOURS = 3_660 * 24;
        private static final int FAR_HOURS = 24;
        private static final double FEW = 0.001;

        static Span of(Frequencies<Long> counted) {
            TreeMap<Long, Long> hours = new TreeMap<>();
            counted.sorted(hours::put);
            leaveOut(hours, hours.navigableKeySet(), counted.all());
            leaveOut(hours, hours.descendingKeySet(), counted.all());
            long first = hours.firstKey();
            hours.tailMap(first + LONGEST_HOURS).clear();
            long last = hours.lastKey();
            long inside = hours.values().stream().mapToLong(Long::longValue).sum();
            double[] events = new double[24];
            hours.forEach((hour, count) -> events[Math.floorMod(hour, 24)] += count);
            double mean = (double) inside / (last - first + 1);
            List<Integer> curve = new ArrayList<>();
            for (int hour = 0; hour < 24; hour++) {
                long times = Math.floorDiv(last - hour, 24L) - Math.floorDiv(first - 1 - hour, 24L);
                curve.add(times == 0 ? MEAN_WEIGHT : (int) Math.rint(MEAN_WEIGHT * events[hour] / times / mean));
            }
            return new Span(first, last - first + 1, curve, counted.all() - inside);
        }

        /** Those at one end that have few events together and lie a day or more before all others. */
        private static void leaveOut(Map<Long, Long> hours, NavigableSet<Long> fromTheEnd, long all) {
            long events = 0;
            List<Long> met = new ArrayList<>();
            List<Long> far = List.of();
            for (long hour : fromTheEnd) {
                if (!met.isEmpty() && Math.abs(hour - met.get(met.size() - 1)) > FAR_HOURS) {
                    far = List.copyOf(met);
                }
                events += hours.getOrDefault(hour, 0L);
                if (events > all * FEW) {
                    break;
                }
                met.add(hour);
            }
            hours.keySet().removeAll(far);
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
