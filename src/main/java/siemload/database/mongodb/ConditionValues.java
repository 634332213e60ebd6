package siemload.database.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.bson.BsonDateTime;
import org.bson.types.ObjectId;
import siemload.database.SearchException;
import siemload.database.layout.document.EventText;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.WholeText;
import siemload.query.PageKey;
import siemload.query.Window;

/** The values of conditions by their names, each worked out only where a file asks for it. Stateless. */
final class ConditionValues {
    private static final long MOST_TEXTS = 65_536;

    private ConditionValues() {}

    static Function<String, Object> of(Window window) {
        return name -> switch (name) {
            case "from" -> EventText.micros(window.from());
            case "until" -> EventText.micros(window.until());
            case "from_time" -> date(EventText.micros(window.from()));
            case "until_time" -> date(EventText.micros(window.until()));
            default -> throw unknown(name);
        };
    }

    static Function<String, Object> of(PageKey key) {
        return name -> switch (name) {
            case "micros" -> EventText.micros(key.detectTime());
            case "time" -> date(EventText.micros(key.detectTime()));
            default -> id(key.id(), name);
        };
    }

    static Function<String, Object> ofId(String id) {
        return name -> id(id, name);
    }

    static Function<String, Object> of(AddressRange range) {
        return name -> address(range, name);
    }

    static Function<String, Object> of(AddressRange range, int port) {
        return name -> name.equals("port") ? port : address(range, name);
    }

    private static Object address(AddressRange range, String name) {
        return switch (name) {
            case "first" -> range.firstBytes();
            case "last" -> range.lastBytes();
            case "first_text" -> range.first().toString();
            case "last_text" -> range.last().toString();
            case "first_number" -> number(range, range.firstLow());
            case "last_number" -> number(range, range.lastLow());
            case "texts" -> texts(range);
            default -> throw unknown(name);
        };
    }

    /** No number of an IPv4 address is below zero. */
    private static long number(AddressRange range, long low) {
        return range.family() == Family.IP4 ? low : -1;
    }

    private static List<String> texts(AddressRange range) {
        long more = range.lastLow() - range.firstLow();
        if (range.firstHigh() != range.lastHigh() || more < 0 || more >= MOST_TEXTS) {
            String why = String.format(
                    Locale.ROOT,
                    "%s has too many addresses to be asked for one by one (at most %,d; ask for first_number and"
                            + " last_number, or first and last)",
                    range,
                    MOST_TEXTS);
            throw new SearchException(SearchException.Kind.OTHER, "", why);
        }
        List<String> texts = new ArrayList<>();
        for (long low = range.firstLow(); low - range.firstLow() <= more; low++) {
            texts.add((range.family() == Family.IP4 ? AddressRange.ip4(low) : AddressRange.ip6(range.firstHigh(), low))
                    .toString());
        }
        return texts;
    }

    /** An id that is none of the type is asked for as text, which no such id equals. */
    private static Object id(String id, String name) {
        return switch (name) {
            case "id" -> WholeText.of(id);
            case "object_id" -> ObjectId.isValid(id) ? new ObjectId(id) : WholeText.of(id);
            case "number_id" -> number(id);
            default -> throw unknown(name);
        };
    }

    private static Object number(String id) {
        try {
            return Long.parseLong(id);
        } catch (NumberFormatException none) {
            return WholeText.of(id);
        }
    }

    private static BsonDateTime date(long micros) {
        return new BsonDateTime(EventText.millisFrom(micros));
    }

    private static IllegalArgumentException unknown(String name) {
        return new IllegalArgumentException("no value " + name);
    }
}
