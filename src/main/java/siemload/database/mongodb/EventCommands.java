package siemload.database.mongodb;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.mongodb.ExplainVerbosity;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoIterable;
import com.mongodb.client.model.CountOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.server.Portions;

/**
 * What a server is sent for searches: find and count on siemload's own documents, and pipelines alone on those of others, which are
 * made into events first. None of it writes. Immutable.
 *
 * @param timeout which the server is told
 */
record EventCommands(MongoCollection<DetachedRow> events, DocumentVariant variant, Duration timeout) {
    private static final String COUNTED = "events";

    /** The rows of a search. */
    MongoIterable<DetachedRow> rows(EventQuery query, int batch, String comment) {
        return variant.layout().isForSearchesAlone()
                ? portioned(staged(query, comment).maxTime(timeout.toMillis(), MILLISECONDS), batch)
                : found(query, batch, comment).maxTime(timeout.toMillis(), MILLISECONDS);
    }

    /** The same for a cursor: the server's own timeout is for a whole one, not for a page. */
    MongoIterable<DetachedRow> open(EventQuery query, int batch, String comment) {
        return variant.layout().isForSearchesAlone()
                ? portioned(staged(query, comment), batch)
                : found(query, batch, comment);
    }

    /** An aggregation would first answer with nothing where a find without a size answers with as much as it likes. */
    private static MongoIterable<DetachedRow> portioned(AggregateIterable<DetachedRow> rows, int batch) {
        return batch > 0 ? rows.batchSize(batch) : rows;
    }

    private FindIterable<DetachedRow> found(EventQuery query, int batch, String comment) {
        FindIterable<DetachedRow> find = events.find(query.filter())
                .projection(variant.layout().rows())
                .sort(query.sort())
                .skip(query.skip())
                .limit(query.limit())
                .batchSize(batch)
                .allowDiskUse(true)
                .comment(comment);
        IndexChoice.tell(query.hint(), find::hint, find::hintString);
        return find;
    }

    private AggregateIterable<DetachedRow> staged(EventQuery query, String comment) {
        return untimed(query.stages(variant.layout()), DetachedRow.class, query.hint(), comment);
    }

    /** The last rows of a search, turned round by the server. */
    AggregateIterable<DetachedRow> turned(EventQuery query, String comment) {
        return aggregated(query.turned(variant.layout()), DetachedRow.class, query.hint(), comment)
                .batchSize(Portions.ROWS);
    }

    /** What stages make. */
    <T> AggregateIterable<T> aggregated(List<Document> stages, Class<T> lines, Optional<String> hint, String comment) {
        return untimed(stages, lines, hint, comment).maxTime(timeout.toMillis(), MILLISECONDS);
    }

    private <T> AggregateIterable<T> untimed(
            List<Document> stages, Class<T> lines, Optional<String> hint, String comment) {
        AggregateIterable<T> found =
                events.aggregate(stages, lines).allowDiskUse(true).comment(comment);
        IndexChoice.tell(hint, found::hint, found::hintString);
        return found;
    }

    /** How many events there are. */
    long count(Document filter, Optional<String> hint, String comment) {
        if (variant.layout().isForSearchesAlone()) {
            List<Document> stages = new ArrayList<>(variant.layout().stages());
            stages.add(new Document("$match", filter));
            stages.add(new Document("$group", new Document("_id", null).append(COUNTED, new Document("$sum", 1))));
            Document counted = aggregated(stages, Document.class, hint, comment).first();
            return counted == null ? 0 : WiredTigerCounters.number(counted, COUNTED);
        }
        CountOptions options =
                new CountOptions().maxTime(timeout.toMillis(), MILLISECONDS).comment(comment);
        IndexChoice.tell(hint, options::hint, options::hintString);
        return events.countDocuments(filter, options);
    }

    /** How the server finds the rows of a search. */
    Document explained(EventQuery query, String comment) {
        if (query.reading() == EventQuery.Reading.STREAM_BACKWARDS) {
            return turned(query, comment).explain(Document.class, ExplainVerbosity.EXECUTION_STATS);
        }
        return variant.layout().isForSearchesAlone()
                ? staged(query, comment)
                        .maxTime(timeout.toMillis(), MILLISECONDS)
                        .explain(Document.class, ExplainVerbosity.EXECUTION_STATS)
                : found(query, query.limit(), comment)
                        .maxTime(timeout.toMillis(), MILLISECONDS)
                        .explain(Document.class, ExplainVerbosity.EXECUTION_STATS);
    }
}
