package siemload.query;

import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.stream.Stream;
import siemload.config.Choices.Labelled;
import siemload.event.AddressRange;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/** The fields by which events can be grouped. An event counts once for each of its different values, and not at all without a value. */
public enum Field implements Labelled {
    CATEGORY,
    /** The names of all nodes, both detectors and relays; a criterion on the detector looks for one of these names. */
    DETECTOR,
    /** The transport ports of sources and targets, in decimal. */
    PORT,
    /** The lowest address of all sources; a range counts as its first address. IPv4 addresses are lower than IPv6 addresses. */
    SOURCE,
    /** The hour of the detect time, in UTC, as {@code 2016-06-06T12:00:00Z}. */
    HOUR;

    /** The different values of an event. */
    public Stream<String> values(SecurityEvent event) {
        return switch (this) {
            case CATEGORY -> event.categories().stream().distinct();
            case DETECTOR -> event.nodes().stream().map(Node::name).distinct();
            case PORT ->
                event.endpoints()
                        .flatMap(endpoint -> endpoint.ports().stream())
                        .map(String::valueOf)
                        .distinct();
            case SOURCE ->
                event.sources().stream()
                        .flatMap(endpoint -> endpoint.addresses().stream())
                        .map(AddressRange::first)
                        .min(Comparator.naturalOrder())
                        .map(AddressRange::toString)
                        .stream();
            case HOUR ->
                Stream.of(event.detectTime().truncatedTo(ChronoUnit.HOURS).toString());
        };
    }

    /** The order of values: addresses in numeric order, all others by their UTF-8 bytes. */
    public Comparator<String> order() {
        return this == SOURCE ? Comparator.comparing(AddressRange::parse) : PageKey::compareUtf8;
    }
}
