package siemload.database.opensearch;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import siemload.database.layout.Condition;
import siemload.database.layout.Condition.About;
import siemload.database.layout.Condition.All;
import siemload.database.layout.Condition.Any;
import siemload.database.layout.Condition.Leaf;
import siemload.database.layout.Conditions;
import siemload.database.layout.EventFields;
import siemload.database.layout.EventText;
import siemload.event.AddressRange;
import siemload.event.WholeText;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Window;

/** The conditions of searches as queries that score nothing, each from a block of the layout. */
final class SearchQuery extends Conditions {
    private final IndexLayout layout;

    private SearchQuery(IndexLayout layout) {
        super(layout::has);
        this.layout = layout;
    }

    /** What finds all events of a search. */
    static Map<String, Object> of(Search search, IndexLayout layout) {
        SearchQuery query = new SearchQuery(layout);
        List<Condition> conditions = query.of(search);
        return conditions.isEmpty() ? Map.of("match_all", Map.of()) : query.allOf(conditions);
    }

    /** The values of a query for documents by the ids of their events. */
    static Map<String, Object> ofIds(List<String> ids) {
        return Map.of(
                "ids", ids, "id_hashes", ids.stream().map(EventFields::idHash).toList());
    }

    private Map<String, Object> allOf(List<Condition> conditions) {
        return Map.of(
                "bool", Map.of("filter", conditions.stream().map(this::query).toList()));
    }

    private Map<String, Object> query(Condition condition) {
        if (condition instanceof About about) {
            return query(about.condition());
        } else if (condition instanceof All all) {
            return allOf(all.parts());
        } else if (condition instanceof Any any) {
            return Map.of(
                    "bool",
                    Map.of("should", any.parts().stream().map(this::query).toList(), "minimum_should_match", 1));
        }
        Leaf leaf = (Leaf) condition;
        return layout.block(PREFIX + leaf.name()).object(leaf.values());
    }

    @Override
    protected Function<String, ?> window(Window window) {
        return name -> switch (name) {
            case "from" -> EventText.micros(window.from());
            case "until" -> EventText.micros(window.until());
            case "from_millis" -> EventText.millisFrom(EventText.micros(window.from()));
            case "until_millis" -> EventText.millisFrom(EventText.micros(window.until()));
            case "from_time" -> window.from().toString();
            case "until_time" -> window.until().toString();
            default -> throw unknown(name);
        };
    }

    @Override
    protected Function<String, ?> key(PageKey key) {
        return place(key);
    }

    /** What a row was sorted by: the time to the precision that it was read with. */
    static Function<String, Object> place(PageKey key) {
        return name -> switch (name) {
            case "millis" -> EventText.millisFrom(EventText.micros(key.detectTime()));
            case "micros" -> EventText.micros(key.detectTime());
            case "time" -> key.detectTime().toString();
            case "id" -> WholeText.of(key.id());
            default -> throw unknown(name);
        };
    }

    private static IllegalArgumentException unknown(String name) {
        return new IllegalArgumentException("no value " + name);
    }

    @Override
    protected Function<String, ?> id(String id) {
        return Map.of("id", WholeText.of(id), "id_hash", EventFields.idHash(id))::get;
    }

    @Override
    protected Function<String, ?> address(AddressRange range) {
        return Map.of("first", range.first().toString(), "last", range.last().toString())::get;
    }

    @Override
    protected Object whole(String text) {
        return WholeText.of(text);
    }

    /** No character of the text means anything but itself in a wildcard query. */
    @Override
    protected Function<String, ?> text(String text) {
        return Map.of("pattern", "*" + EventText.searchable(text).replaceAll("[\\\\*?]", "\\\\$0") + "*")::get;
    }

    @Override
    protected Condition description(String text) {
        return new Leaf("description", Map.of("text", EventText.searchable(text))::get);
    }
}
