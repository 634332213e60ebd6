package siemload.database.opensearch.layout;

import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.config.Sha256;
import siemload.database.layout.document.DocumentPart;
import siemload.database.layout.document.DocumentPart.Elements;
import siemload.database.layout.document.EventWithJson;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.WholeText;

/** What of an event a document can have here beside what it can have in any database. Stateless. */
final class EventFields {
    /** A whole event. */
    static final DocumentPart<EventWithJson> EVENT = DocumentPart.EVENT.with(
            Map.of(
                    "id_hash",
                    (writer, stored) -> writer.text(idHash(stored.event().id())),
                    "hour",
                    (writer, stored) -> writer.text(stored.event()
                            .detectTime()
                            .truncatedTo(ChronoUnit.HOURS)
                            .toString()),
                    "lowest_source",
                    (writer, stored) -> lowest(stored.event().sources())
                            .ifPresentOrElse(writer::text, () -> writer.constant(null))),
            addresses());

    private EventFields() {}

    /** What an id is called where 512 bytes are the most: SHA-256 of its UTF-8 bytes in the letters of URLs, 43 characters. */
    static String idHash(String id) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(WholeText.of(id)));
    }

    /** The lowest address in a form whose texts are ordered as addresses are: the family, then the digits of all bytes. */
    private static Optional<String> lowest(List<Endpoint> sources) {
        return sources.stream()
                .flatMap(source -> source.addresses().stream())
                .min(Comparator.naturalOrder())
                .map(range -> digit(range.family()) + HexFormat.of().formatHex(range.firstBytes()));
    }

    private static Map<String, Elements<EventWithJson, ?>> addresses() {
        Map<String, Elements<EventWithJson, ?>> lists = new LinkedHashMap<>();
        for (Family family : Family.values()) {
            for (Extent extent : Extent.values()) {
                String name = "_" + extent.label + digit(family);
                lists.put(
                        "source" + name,
                        new Elements<>(
                                DocumentPart.ADDRESS,
                                stored -> extent.of(family, stored.event().sources())));
                lists.put(
                        "target" + name,
                        new Elements<>(
                                DocumentPart.ADDRESS,
                                stored -> extent.of(family, stored.event().targets())));
            }
        }
        return lists;
    }

    private static String digit(Family family) {
        return family == Family.IP4 ? "4" : "6";
    }

    /** How much an address of an event is: the server has another type for each. */
    private enum Extent {
        SINGLE("ip"),
        RANGE("range");

        private final String label;

        Extent(String label) {
            this.label = label;
        }

        /** Those of these endpoints that are of this extent, each once. */
        Set<AddressRange> of(Family family, List<Endpoint> endpoints) {
            Set<AddressRange> own = new LinkedHashSet<>();
            for (Endpoint endpoint : endpoints) {
                for (AddressRange range : endpoint.addresses()) {
                    if (range.family() == family && range.isSingle() == (this == SINGLE)) {
                        own.add(range);
                    }
                }
            }
            return own;
        }
    }
}
