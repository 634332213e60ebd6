package siemload.dataset.learn;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import siemload.dataset.learn.EndpointMeasure.TargetKind;
import siemload.dataset.learn.FrequentNames.Entry;

/** What was measured as counts by name, for comparing. Stateless. */
final class NamedShares {
    private static final int MOST_PER_EVENT_SHOWN = 20;

    private NamedShares() {}

    /**
     * The fields that have shares.
     *
     * @param names what names are replaced by
     * @param ports whose ports count by themselves: those of the original
     */
    static Map<String, Map<String, Double>> of(StreamMeasure measure, Pseudonyms names, StreamMeasure ports) {
        Map<String, Map<String, Double>> fields = new LinkedHashMap<>();
        Map<String, Double> categories = new LinkedHashMap<>();
        for (Entry<CategoryMeasure.Nature> entry :
                measure.categories().categories().ranked()) {
            categories.merge(names.category(entry.name()), (double) entry.count(), Double::sum);
        }
        fields.put("category", categories);
        Map<String, Double> detectors = new LinkedHashMap<>();
        for (Entry<DetectorMeasure.Nature> entry :
                measure.detectors().detectors().ranked()) {
            detectors.merge(names.detector(entry.name()), (double) entry.count(), Double::sum);
        }
        fields.put("detector", detectors);
        fields.put("hour of the day (UTC)", hours(measure.times()));
        EndpointMeasure endpoints = measure.endpoints();
        fields.put("family of addresses", families(endpoints));
        fields.put(
                "addresses an event names as sources",
                numbers(endpoints.sources().perEvent(), ""));
        fields.put("what targets are", kinds(endpoints));
        fields.put(
                "addresses an event names as targets",
                numbers(endpoints.targets().perEvent(), ""));
        fields.put("prefix of target networks", numbers(endpoints.networkBits(), "/"));
        fields.put("port", ports(endpoints.ports(), ports.endpoints().ports()));
        return fields;
    }

    private static Map<String, Double> hours(TimeMeasure times) {
        double[] hours = new double[24];
        for (Map.Entry<Long, long[]> hour : SpanEstimate.whole(times)) {
            hours[Math.floorMod(hour.getKey(), 24)] += hour.getValue()[0] / SpanEstimate.watched(hour.getKey(), times);
        }
        Map<String, Double> counts = new LinkedHashMap<>();
        for (int hour = 0; hour < hours.length; hour++) {
            counts.put(String.format(Locale.ROOT, "%02d", hour), hours[hour]);
        }
        return counts;
    }

    private static Map<String, Double> families(EndpointMeasure endpoints) {
        Map<String, Double> families = new LinkedHashMap<>();
        families.put("IPv4", (double) (endpoints.withAddress() - endpoints.withIp6()));
        families.put("IPv6", (double) endpoints.withIp6());
        return families;
    }

    private static Map<String, Double> kinds(EndpointMeasure endpoints) {
        Map<String, Double> kinds = new LinkedHashMap<>();
        for (TargetKind kind : TargetKind.values()) {
            kinds.put(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '), (double)
                    endpoints.kinds().count(kind));
        }
        return kinds;
    }

    private static Map<String, Double> numbers(long[] counts, String before) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (int number = 0; number < counts.length; number++) {
            if (counts[number] > 0) {
                String label = numbers.size() < MOST_PER_EVENT_SHOWN ? before + number : "more";
                numbers.merge(label, (double) counts[number], Double::sum);
            }
        }
        return numbers;
    }

    private static Map<String, Double> ports(PortMeasure measured, PortMeasure original) {
        Map<String, Double> ports = new LinkedHashMap<>();
        Set<Integer> own = new HashSet<>();
        for (int port : PortEstimate.own(original)) {
            ports.put(Integer.toString(port), (double) measured.events()[port]);
            own.add(port);
        }
        double others = 0;
        for (int port = 0; port < measured.events().length; port++) {
            others += own.contains(port) ? 0 : measured.events()[port];
        }
        ports.put("others", others);
        return ports;
    }
}
