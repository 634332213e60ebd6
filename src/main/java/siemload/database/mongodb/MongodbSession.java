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
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.bson.Document;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import siemload.database.Plan;
import siemload.database.Plan.Access;
import siemload.database.Plan.Access.Kind;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;
import siemload.database.SearchSession.RowReader.DetachedRow;
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
        Document filter = variant.filter(search);
        return run(() -> commands.count(filter, IndexChoice.hint(search, variant), operation.comment()));
    }

    @Override
    public List<Summary.Line> summarize(Search search, Summary summary) {
        SummaryPipeline pipeline = SummaryPipeline.of(search, summary, variant);
        return run(() -> summed(search, pipeline).map(pipeline::line).into(new ArrayList<>()));
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

    /**
     * Reduces what {@code explain} says to what can be compared. Both engines and sharded clusters nest the same stages; a
     * pipeline has those that found its events in its first stage, or is one plan like any other where the engine does it all.
     */
    static final class ExplainedPlan {
        private static final JsonWriterSettings READABLE = JsonWriterSettings.builder()
                .outputMode(JsonMode.RELAXED)
                .indent(true)
                .build();
        /** Where stages stand inside others; not the plans that lost, nor the program that a plan became. */
        private static final Set<String> INNER = Set.of(
                "queryPlanner",
                "winningPlan",
                "queryPlan",
                "inputStage",
                "inputStages",
                "outerStage",
                "innerStage",
                "shards",
                "stages",
                "$cursor");

        private final List<Access> accesses = new ArrayList<>();
        private boolean sorted;

        private final String timeKey;

        private ExplainedPlan(String timeKey) {
            this.timeKey = timeKey;
        }

        /** Of documents of which nobody has said what their time is. */
        static Plan of(Document explained) {
            return of(explained, "");
        }

        /** @param timeKey what an index of the time begins with */
        static Plan of(Document explained, String timeKey) {
            ExplainedPlan plan = new ExplainedPlan(timeKey);
            plan.visit(explained, "events");
            String text = explained.toJson(READABLE);
            // The server has no plan that several of its workers share.
            return new Plan(text, Plan.Format.JSON, plan.accesses, plan.sorted, false, Optional.empty());
        }

        /** @param outer the collection, unless the node names one: each shard does for itself */
        private void visit(Document node, String outer) {
            String collection = node.get("namespace") instanceof String namespace
                    ? namespace.split("\\.", 2)[1]
                    : outer;
            if (node.get("stage") instanceof String stage) {
                stage(stage, node, collection);
            }
            sorted |= node.containsKey("$sort");
            node.forEach((key, value) -> {
                if (key.equals("shards") && value instanceof Document shards) {
                    shards.values().forEach(shard -> inner(shard, collection));
                } else if (INNER.contains(key)) {
                    inner(value, collection);
                }
            });
        }

        private void inner(Object value, String collection) {
            if (value instanceof Document document) {
                visit(document, collection);
            } else if (value instanceof List<?> list) {
                list.forEach(item -> inner(item, collection));
            }
        }

        private void stage(String name, Document stage, String collection) {
            switch (name) {
                case "COLLSCAN" -> accesses.add(new Access(Kind.TABLE, collection));
                case "IDHACK", "EXPRESS_CLUSTERED_IXSCAN", "CLUSTERED_IXSCAN" ->
                    accesses.add(new Access(Kind.ID_INDEX, "_id_"));
                case "IXSCAN", "EXPRESS_IXSCAN", "COUNT_SCAN", "DISTINCT_SCAN" -> accesses.add(index(stage));
                case "SORT" -> sorted = true;
                default -> {
                    // FETCH, LIMIT, PROJECTION_SIMPLE and the like: what is done with events that were found.
                }
            }
        }

        /** The key is a document, but the shortest plans of newer servers tell it as text: {@code { _id: 1 }}. */
        private Access index(Document stage) {
            String name = stage.getString("indexName");
            String key = name;
            if (stage.get("keyPattern") instanceof Document pattern) {
                key = pattern.keySet().iterator().next();
            } else if (stage.get("keyPattern") instanceof String pattern) {
                key = pattern.replaceFirst("^\\W*", "").replaceFirst("[\":\\s].*", "");
            }
            return new Access(kind(key), name);
        }

        private Kind kind(String firstKey) {
            if (firstKey.equals("_id") || firstKey.equals("_id_")) {
                return Kind.ID_INDEX;
            }
            return firstKey.equals(timeKey) ? Kind.TIME_INDEX : Kind.FIELD_INDEX;
        }
    }
}
