package siemload.database.mongodb;

import com.mongodb.ExplainVerbosity;
import com.mongodb.client.AggregateIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoIterable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.bson.Document;
import siemload.database.Plan;
import siemload.database.ResultCursor;
import siemload.database.RowReader;
import siemload.database.RowReader.DetachedRow;
import siemload.database.SearchSession;
import siemload.database.server.Canceller;
import siemload.database.server.PageCursor;
import siemload.database.server.Portions;
import siemload.database.server.SessionCursor;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;

/** Runs searches, one at a time, each over a connection of the store's pool. */
final class MongodbSession implements SearchSession {
    private final EventCommands commands;
    private final DocumentVariant variant;
    private final String collection;
    private final StoppableOperation operation;
    private final Canceller stop;
    private final SessionCursor cursor = new SessionCursor();

    MongodbSession(
            MongoClient client,
            MongoCollection<?> events,
            DocumentVariant variant,
            Duration timeout,
            ScheduledExecutorService watchers) {
        this.commands = new EventCommands(events.withDocumentClass(DetachedRow.class), variant, timeout);
        this.variant = variant;
        this.collection = events.getNamespace().getCollectionName();
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
            case STREAM_BACKWARDS -> read(commands.turned(query, operation.comment()), stop.checked(rows));
        });
    }

    @Override
    public long count(Search search) {
        Document filter = SearchFilter.of(search, variant).document();
        return run(() -> commands.count(filter, IndexChoice.hint(search, variant), operation.comment()));
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        SummaryPipeline pipeline = SummaryPipeline.of(search, summary, variant);
        return run(() -> summed(search, pipeline).map(pipeline::line).into(new ArrayList<>()));
    }

    @Override
    public void store(Search search, Summary.Hours summary, String trend) {
        List<Document> summing = SummaryPipeline.of(search, summary, variant).stages();
        List<Document> stages = MongodbTrends.storing(summing, trend, collection);
        boolean unused = run(() -> {
            commands.aggregated(stages, Document.class, IndexChoice.hint(search, variant), operation.comment())
                    .toCollection();
            return true;
        });
    }

    @Override
    public ResultCursor open(Search search) {
        return cursor.open(() -> new Cursor(EventQuery.of(search.with(new Page.Whole()), variant)));
    }

    @Override
    public Plan explain(Search search) {
        EventQuery query = EventQuery.of(search, variant);
        return explained(() -> commands.explained(query, operation.comment()));
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
        cursor.close();
    }

    private <T> T run(Supplier<T> answer) {
        cursor.close();
        operation.begin();
        return operation.answered(answer);
    }

    private MongoIterable<DetachedRow> bounded(EventQuery query, int batch) {
        return commands.rows(query, batch, operation.comment());
    }

    private AggregateIterable<Document> summed(Search search, SummaryPipeline pipeline) {
        return commands.aggregated(
                pipeline.stages(), Document.class, IndexChoice.hint(search, variant), operation.comment());
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
    private final class Cursor extends PageCursor {
        private final EventQuery query;
        private Optional<MongoCursor<DetachedRow>> result = Optional.empty();

        Cursor(EventQuery query) {
            this.query = query;
            operation.begin();
        }

        @Override
        protected long page(int size, RowReader rows) {
            return operation.answered(() -> read(size, rows));
        }

        /** The server's own timeout is for a whole cursor, not for a page. */
        private long read(int size, RowReader rows) {
            stop.scheduleDeadline();
            MongoCursor<DetachedRow> open = result.isPresent()
                    ? result.orElseThrow()
                    : commands.open(query, Portions.of(size), operation.comment())
                            .cursor();
            result = Optional.of(open);
            long count = 0;
            for (; count < size && open.hasNext(); count++) {
                stop.check();
                rows.row(open.next());
            }
            return count;
        }

        @Override
        protected void release() {
            result.ifPresent(MongoCursor::close);
        }
    }
}
