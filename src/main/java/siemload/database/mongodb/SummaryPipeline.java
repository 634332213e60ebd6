package siemload.database.mongodb;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.bson.types.Binary;
import siemload.database.IndexSet;
import siemload.event.AddressRange;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * A summary as an aggregation pipeline.
 *
 * @param start the time of lines that have none of their own
 */
record SummaryPipeline(List<Document> stages, Instant start) {
    private static final JsonTemplate TIMELINE = JsonTemplate.read("idea/timeline.json");
    private static final JsonTemplate TOP_LIST = JsonTemplate.read("idea/top-list.json");

    static SummaryPipeline of(Search search, Summary summary, IndexSet indexes) {
        Map<String, Object> values = new HashMap<>();
        values.put("conditions", SearchFilter.of(search, indexes).document());
        values.put(
                "field",
                JsonTemplate.read("idea/field-" + summary.field().label() + ".json")
                        .document(Map.of()));
        Instant from = search.window().from();
        Instant start = search.window().start();
        if (summary instanceof Summary.OverTime timeline) {
            long step = timeline.step(search.window()).toNanos() / 1_000;
            values.put("from", EventText.micros(from));
            values.put("step", step);
            return new SummaryPipeline(TIMELINE.pipeline(values), start);
        } else if (summary instanceof Summary.TopList top) {
            values.put("limit", top.size());
            return new SummaryPipeline(TOP_LIST.pipeline(values), start);
        }
        throw new AssertionError("a kind of summary without a pipeline: " + summary);
    }

    Summary.Line line(Document line) {
        return line(line, start);
    }

    /** @param start the time of a line that has none of its own */
    static Summary.Line line(Document line, Instant start) {
        Instant from = line.get("start") instanceof Number micros ? EventText.instant(micros.longValue()) : start;
        String value = line.get("value") instanceof Binary address
                ? AddressRange.ofBytes(address.getData()).toString()
                : line.getString("value");
        return new Summary.Line(from, value, WiredTigerCounters.number(line, "events"));
    }
}
