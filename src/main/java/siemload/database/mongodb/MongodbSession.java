package siemload.database.mongodb;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.mongodb.ExplainVerbosity;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoIterable;
import com.mongodb.client.model.CountOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import siemload.database.Plan;
import siemload.database.ResultCursor;
import siemload.database.RowReader;
import siemload.database.RowReader.DetachedRow;
import siemload.database.SearchSession;
import siemload.database.server.Canceller;
import siemload.database.server.Portions;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;

/** Runs searches, one at a time, each over a connection of the store's pool. */
final class MongodbSession implements SearchSession {
    private final MongoCollection<DetachedRow> events;
    private final DocumentVariant variant;
    private final Duration timeout;
    private final StoppableOperation operation;
    private final Canceller stop;
    private @Nullable Cursor cursor;

    MongodbSession(
            MongoClient client,
            MongoCollection<?> events,
            DocumentVariant variant,
            Duration timeout,
            ScheduledExecutorService watchers) {
        this.events = events.withDocumentClass(DetachedRow.class);
        this.variant = variant;
        this.timeout = timeout;
        this.operation = new StoppableOperation(client.getDatabase("admin"), timeout, watchers);
        this.stop = operation.stop();
    }

    @Override
    public long search(Search search, RowReader rows) {
        EventQuery query = EventQuery.of(search, variant);
        return run(() -> switch (query.reading()) {
            case PAGE -> read(bounded(query, query.limit()), rows);
            case PAGE_BACKWARDS -> {
                ArrayDeque<RowReader.Row> page = new ArrayDeque<>();
                bounded(query, query.limit()).forEach(page::push);
                page.forEach(rows::row);
                yield (long) page.size();
            }
            case STREAM -> read(bounded(query, Portions.ROWS), stop.checked(rows));
            case STREAM_BACKWARDS -> read(turned(query), stop.checked(rows));
        });
    }

    @Override
    public long count(Search search) {
        Document filter = SearchFilter.of(search, variant).document();
        return run(() -> {
            CountOptions options =
                    new CountOptions().maxTime(timeout.toMillis(), MILLISECONDS).comment(operation.comment());
            IndexChoice.tell(IndexChoice.hint(search, variant), options::hint, options::hintString);
            return events.countDocuments(filter, options);
        });
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        SummaryPipeline pipeline = SummaryPipeline.of(search, summary, variant);
        return run(() -> summed(search, pipeline).map(pipeline::line).into(new ArrayList<>()));
    }

    @Override
    public void store(Search search, Summary.Hours summary, String trend) {
        List<Document> summing = SummaryPipeline.of(search, summary, variant).stages();
        List<Document> stages =
                MongodbTrends.storing(summing, trend, events.getNamespace().getCollectionName());
        boolean unused = run(() -> {
            aggregated(stages, Document.class, IndexChoice.hint(search, variant))
                    .toCollection();
            return true;
        });
    }

    @Override
    public ResultCursor open(Search search) {
        closeCursor();
        Cursor opened = new Cursor(EventQuery.of(search.with(new Page.Whole()), variant));
        cursor = opened;
        return opened;
    }

    @Override
    public Plan explain(Search search) {
        EventQuery query = EventQuery.of(search, variant);
        return explained(() -> query.reading() == EventQuery.Reading.STREAM_BACKWARDS
                ? turned(query).explain(Document.class, ExplainVerbosity.EXECUTION_STATS)
                : bounded(query, query.limit()).explain(Document.class, ExplainVerbosity.EXECUTION_STATS));
    }

    @Override
    public Plan explain(Search search, Summary summary) {
        SummaryPipeline pipeline = SummaryPipeline.of(search, summary, variant);
        return explained(() -> summed(search, pipeline).explain(Document.class, ExplainVerbosity.EXECUTION_STATS));
    }

    private Plan explained(Supplier<Document> answer) {
        return run(() -> ExplainedPlan.of(answer.get(), variant.layout().timeKey()));
    }

    @Override
    public Optional<String> statement(Search search, PageClass page) {
        return Optional.of(MongodbCounters.statement());
    }

    @Override
    public Optional<String> statementOfCursors() {
        return Optional.of(MongodbCounters.statement());
    }

    @Override
    public void cancel() {
        operation.cancel();
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

    private <T> T run(Supplier<T> answer) {
        closeCursor();
        operation.begin();
        return operation.answered(answer);
    }

    private FindIterable<DetachedRow> bounded(EventQuery query, int batch) {
        return find(query, batch).maxTime(timeout.toMillis(), MILLISECONDS);
    }

    private FindIterable<DetachedRow> find(EventQuery query, int batch) {
        FindIterable<DetachedRow> find = events.find(query.filter())
                .projection(variant.layout().rows())
                .sort(query.sort())
                .skip(query.skip())
                .limit(query.limit())
                .batchSize(batch)
                .allowDiskUse(true)
                .comment(operation.comment());
        IndexChoice.tell(query.hint(), find::hint, find::hintString);
        return find;
    }

    private AggregateIterable<Document> summed(Search search, SummaryPipeline pipeline) {
        return aggregated(pipeline.stages(), Document.class, IndexChoice.hint(search, variant));
    }

    private AggregateIterable<DetachedRow> turned(EventQuery query) {
        return aggregated(query.turned(variant.layout()), DetachedRow.class, query.hint())
                .batchSize(Portions.ROWS);
    }

    private <T> AggregateIterable<T> aggregated(List<Document> stages, Class<T> lines, Optional<String> hint) {
        AggregateIterable<T> found = events.aggregate(stages, lines)
                .allowDiskUse(true)
                .maxTime(timeout.toMillis(), MILLISECONDS)
                .comment(operation.comment());
        IndexChoice.tell(hint, found::hint, found::hintString);
        return found;
    }

    private static long read(MongoIterable<DetachedRow> found, RowReader rows) {
        long count = 0;
        try (MongoCursor<DetachedRow> result = found.cursor()) {
            for (; result.hasNext(); count++) {
                rows.row(result.next());
            }
        }
        return count;
    }

    /** A cursor of the server. It is opened by the first page, whose size is that of every batch, unless that is too large. */
    private final class Cursor implements ResultCursor {
        private final EventQuery query;
        private Optional<MongoCursor<DetachedRow>> result = Optional.empty();
        private boolean closed;

        Cursor(EventQuery query) {
            this.query = query;
            operation.begin();
        }

        @Override
        public long next(int size, RowReader rows) {
            if (closed) {
                throw new IllegalStateException("the cursor is closed");
            }
            try {
                return operation.answered(() -> page(size, rows));
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        /** The server's own timeout is for a whole cursor, not for a page. */
        private long page(int size, RowReader rows) {
            stop.scheduleDeadline();
            MongoCursor<DetachedRow> open = result.isPresent()
                    ? result.orElseThrow()
                    : find(query, Portions.of(size)).cursor();
            result = Optional.of(open);
            long count = 0;
            for (; count < size && open.hasNext(); count++) {
                stop.check();
                rows.row(open.next());
            }
            return count;
        }

        @Override
        public void close() {
            closed = true;
            result.ifPresent(MongoCursor::close);
            result = Optional.empty();
        }
    }
}
