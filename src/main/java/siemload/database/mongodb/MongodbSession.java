package siemload.database.mongodb;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.mongodb.ExplainVerbosity;
import com.mongodb.MongoException;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.CountOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import siemload.database.Plan;
import siemload.database.ResultCursor;
import siemload.database.RowReader;
import siemload.database.SearchSession;
import siemload.database.Variant;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.Summary;

/** Runs searches, one at a time, each over a connection of the store's pool. */
final class MongodbSession implements SearchSession {
    private static final BsonDocument ROWS = JsonTemplate.read("idea/rows.json").document(Map.of());
    private static final int PORTION = 1_000;

    private final MongoCollection<MongodbRow> events;
    private final Variant variant;
    private final Duration timeout;
    private final MongodbCanceller stop;
    private @Nullable MongodbCursor cursor;

    MongodbSession(MongoCollection<?> events, Variant variant, Duration timeout, MongodbCanceller stop) {
        this.events = events.withDocumentClass(MongodbRow.class);
        this.variant = variant;
        this.timeout = timeout;
        this.stop = stop;
    }

    @Override
    public long search(Search search, RowReader rows) {
        EventQuery query = EventQuery.of(search, variant);
        return run(comment -> switch (query.reading()) {
            case PAGE -> read(bounded(query, query.limit(), comment), rows);
            case PAGE_BACKWARDS -> {
                ArrayDeque<RowReader.Row> page = new ArrayDeque<>();
                bounded(query, query.limit(), comment).forEach(page::push);
                page.forEach(rows::row);
                yield (long) page.size();
            }
            case STREAM ->
                read(bounded(query, PORTION, comment), row -> {
                    stop.check(timeout);
                    rows.row(row);
                });
        });
    }

    @Override
    public long count(Search search) {
        BsonDocument filter = SearchFilter.of(search, variant.indexes()).document();
        Optional<BsonValue> hint = IndexChoice.hint(search, variant);
        return run(comment -> {
            CountOptions options =
                    new CountOptions().maxTime(timeout.toMillis(), MILLISECONDS).comment(comment);
            hint.ifPresent(told -> tell(told, options::hint, options::hintString));
            return events.countDocuments(filter, options);
        });
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        SummaryPipeline pipeline = SummaryPipeline.of(search, summary, variant.indexes());
        Optional<BsonValue> hint = IndexChoice.hint(search, variant);
        return run(comment -> {
            AggregateIterable<BsonDocument> lines = events.aggregate(pipeline.stages(), BsonDocument.class)
                    .allowDiskUse(true)
                    .maxTime(timeout.toMillis(), MILLISECONDS)
                    .comment(comment);
            hint.ifPresent(told -> tell(told, lines::hint, lines::hintString));
            return lines.map(pipeline::line).into(new ArrayList<>());
        });
    }

    @Override
    public ResultCursor open(Search search) {
        closeCursor();
        EventQuery query = EventQuery.of(search.with(new Page.Whole()), variant);
        MongodbCursor opened =
                new MongodbCursor((size, comment) -> find(query, size, comment).cursor(), stop, timeout);
        cursor = opened;
        return opened;
    }

    @Override
    public Plan explain(Search search) {
        EventQuery query = EventQuery.of(search, variant);
        return run(comment -> ExplainedPlan.of(
                bounded(query, query.limit(), comment).explain(BsonDocument.class, ExplainVerbosity.EXECUTION_STATS)));
    }

    @Override
    public void cancel() {
        stop.press();
    }

    @Override
    public void close() {
        closeCursor();
    }

    private void closeCursor() {
        if (cursor != null) {
            cursor.close();
            cursor = null;
        }
    }

    private <T> T run(Function<String, T> answer) {
        closeCursor();
        long start = System.nanoTime();
        try {
            return answer.apply(stop.arm(start + timeout.toNanos()));
        } catch (MongoException e) {
            throw MongodbErrors.inRun(e, Duration.ofNanos(System.nanoTime() - start), timeout);
        }
    }

    private FindIterable<MongodbRow> bounded(EventQuery query, int batch, String comment) {
        return find(query, batch, comment).maxTime(timeout.toMillis(), MILLISECONDS);
    }

    private FindIterable<MongodbRow> find(EventQuery query, int batch, String comment) {
        FindIterable<MongodbRow> find = events.find(query.filter())
                .projection(ROWS)
                .sort(query.sort())
                .skip(query.skip())
                .limit(query.limit())
                .batchSize(batch)
                .allowDiskUse(true)
                .comment(comment);
        query.hint().ifPresent(told -> tell(told, find::hint, find::hintString));
        return find;
    }

    /** The driver takes the name of an index and a document by different methods. */
    private static void tell(BsonValue hint, Function<BsonDocument, ?> document, Function<String, ?> name) {
        var unused = hint.isString() ? name.apply(hint.asString().getValue()) : document.apply(hint.asDocument());
    }

    private static long read(FindIterable<MongodbRow> find, RowReader rows) {
        long count = 0;
        try (MongoCursor<MongodbRow> result = find.cursor()) {
            for (; result.hasNext(); count++) {
                rows.row(result.next());
            }
        }
        return count;
    }
}
