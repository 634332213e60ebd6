package siemload.database.mongodb;

import com.mongodb.MongoClientException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.Document;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import siemload.database.layout.EventText;
import siemload.event.AddressRange;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * A summary as an aggregation pipeline.
 *
 * @param start the time of lines that have none of their own
 */
record SummaryPipeline(List<Document> stages, Instant start) {
    private static final Set<Integer> ADDRESS_BYTES = Set.of(4, 16);

    static SummaryPipeline of(Search search, Summary summary, DocumentVariant variant) {
        DocumentLayout layout = variant.layout();
        Map<String, Object> values = new HashMap<>();
        values.put("conditions", variant.filter(search));
        values.put("field", layout.template("field-" + summary.field().label()).value(Map.of()));
        values.put("time", layout.timeOfRows());
        Instant from = search.window().from();
        Instant start = search.window().start();
        if (summary instanceof Summary.OverTime timeline) {
            long step = timeline.step(search.window()).toNanos() / 1_000;
            values.put("from", EventText.micros(from));
            values.put("step", step);
            return new SummaryPipeline(layout.pipeline("timeline", values), start);
        } else if (summary instanceof Summary.TopList top) {
            values.put("limit", top.size());
            return new SummaryPipeline(layout.pipeline("top-list", values), start);
        }
        throw new AssertionError("a kind of summary without a pipeline: " + summary);
    }

    Summary.Line line(Document line) {
        Instant from = line.get("start") instanceof Number micros ? EventText.instant(micros.longValue()) : start;
        return new Summary.Line(from, value(line.get("value")), WiredTigerCounters.number(line, "events"));
    }

    private static String value(@Nullable Object value) {
        if (value instanceof String text) {
            return text;
        } else if (value instanceof Binary address && ADDRESS_BYTES.contains(address.length())) {
            return AddressRange.ofBytes(address.getData()).toString();
        }
        throw new MongoClientException("a line of the summary has the value " + value
                + ", which is neither a string nor an address of 4 or 16 bytes");
    }
}
