package siemload.database.layout;

import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import siemload.config.Sha256;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.JsonTemplate.Names;
import siemload.database.layout.JsonTemplate.Notation;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.event.WholeText;

/**
 * What of an event a document can have by which names: {@code $param} stands for a value, {@code $each} goes through a list. Stateless and
 * thread-safe.
 */
public final class EventFields {
    private static final Names<AddressRange> ADDRESS = new Names<AddressRange>()
            .value("first", AddressRange::first)
            .value("last", AddressRange::last)
            .value("wide", range -> !range.isSingle());
    private static final Names<Endpoint> ENDPOINT = new Names<Endpoint>()
            .value("type", Endpoint::types)
            .value("port", Endpoint::ports)
            .value("protocol", Endpoint::protocols)
            .list("ip4", ADDRESS, end -> some(end.addresses(), range -> range.family() == Family.IP4))
            .list("ip6", ADDRESS, end -> some(end.addresses(), range -> range.family() == Family.IP6))
            .list("address", ADDRESS, Endpoint::addresses);
    private static final Names<Stored> EVENT = new Names<Stored>()
            .value("id_hash", stored -> idHash(stored.event.id()))
            .value("detect_micros", stored -> EventText.micros(stored.event.detectTime()))
            .value(
                    "hour",
                    stored -> stored.event
                            .detectTime()
                            .truncatedTo(ChronoUnit.HOURS)
                            .toString())
            .value("json", stored -> stored.idea)
            .value("lowest_source", stored -> lowest(stored.event.sources()).orElse(null))
            .value("port", stored -> EventField.distinct(both(stored), Endpoint::ports))
            .list(
                    "node",
                    new Names<Node>()
                            .value("name", Node::name)
                            .value("type", Node::types)
                            .value("software", Node::software),
                    stored -> stored.event.nodes())
            .list("address", ADDRESS, stored -> EventField.distinct(both(stored), Endpoint::addresses));

    static {
        for (EventField field : EventField.values()) {
            if (EnumSet.range(EventField.Kind.TEXT, EventField.Kind.NUMBERS).contains(field.kind())) {
                EVENT.value(field.label(), stored -> field.of(stored.event));
            }
        }
        addSide("source", stored -> stored.event.sources());
        addSide("target", stored -> stored.event.targets());
    }

    private EventFields() {}

    /** An event with its IDEA JSON in UTF-8; nobody changes the array. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Stored(SecurityEvent event, byte[] idea) {}

    private static void addSide(String side, Function<Stored, List<Endpoint>> ends) {
        EVENT.list(side, ENDPOINT, ends)
                .list(side + "_address", ADDRESS, stored -> EventField.distinct(ends.apply(stored), Endpoint::addresses));
        for (Family family : Family.values()) {
            // A server may have another type for each.
            for (boolean single : new boolean[] {true, false}) {
                EVENT.list(
                        side + (single ? "_ip" : "_range") + digit(family),
                        ADDRESS,
                        stored -> some(
                                EventField.distinct(ends.apply(stored), Endpoint::addresses),
                                range -> range.family() == family && range.isSingle() == single));
            }
        }
    }

    private static List<Endpoint> both(Stored stored) {
        return stored.event.endpoints().toList();
    }

    private static List<AddressRange> some(List<AddressRange> addresses, Predicate<AddressRange> those) {
        return addresses.stream().filter(those).toList();
    }

    /** What an id is called where 512 bytes are the most: SHA-256 of its UTF-8 bytes in the letters of URLs, 43 characters. */
    public static String idHash(String id) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(WholeText.of(id)));
    }

    /** The lowest address in a form whose texts are ordered as addresses are: the family, then the digits of all bytes. */
    private static Optional<String> lowest(List<Endpoint> sources) {
        return sources.stream()
                .flatMap(source -> source.addresses().stream())
                .min(Comparator.naturalOrder())
                .map(range -> digit(range.family()) + HexFormat.of().formatHex(range.firstBytes()));
    }

    private static String digit(Family family) {
        return family == Family.IP4 ? "4" : "6";
    }

    /** What makes the document that a block says of an event. @throws IllegalArgumentException as {@link JsonTemplate#read} */
    static Function<Stored, Object> document(Block block, Notation notation) {
        return JsonTemplate.made(block, notation, EVENT);
    }
}
