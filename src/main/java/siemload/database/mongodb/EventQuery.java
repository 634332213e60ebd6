package siemload.database.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.Document;
import siemload.database.Hint;
import siemload.database.layout.Condition;
import siemload.database.server.Portions;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;

/**
 * A search as the {@code find} command takes it.
 *
 * @param sort the order on the server; empty for any
 * @param skip how many events are passed over
 * @param limit how many are answered at most; 0 for all
 * @param hint for {@link IndexChoice#tell}; empty for nothing
 */
record EventQuery(Document filter, Document sort, int skip, int limit, Optional<String> hint, Reading reading) {
    private static final int ALL = 0;
    private static final Document UNSORTED = new Document();

    /** How the rows are read. */
    enum Reading {
        /** In their order, received at once. */
        PAGE,
        /** From the last to the first, received at once. */
        PAGE_BACKWARDS,
        /** In their order, received in portions. */
        STREAM,
        /** From the last to the first, turned round by the server, received in portions. */
        STREAM_BACKWARDS
    }

    static EventQuery of(Search search, DocumentVariant variant) {
        DocumentConditions conditions = new DocumentConditions(variant);
        List<Condition> met = conditions.all(search);
        Optional<String> hint = IndexChoice.hint(search, variant);
        DocumentLayout layout = variant.layout();
        Document sort = layout.order(search.order());
        if (isSingle(search)) {
            return new EventQuery(conditions.document(met), UNSORTED, 0, ALL, hint, Reading.PAGE);
        } else if (search.page() instanceof Page.Numbered page) {
            // The driver skips no more than this; more rows than that are in no store.
            int skip = (int) Math.min(page.offset(), Integer.MAX_VALUE);
            return new EventQuery(conditions.document(met), sort, skip, page.size(), hint, reading(page.size()));
        } else if (search.page() instanceof Page.After page) {
            met.add(conditions.beyond(page.key(), search.order()));
            return new EventQuery(conditions.document(met), sort, 0, page.size(), hint, reading(page.size()));
        } else if (search.page() instanceof Page.Last page) {
            Document reversed = layout.order(search.order().reversed());
            Reading reading = Portions.make(page.size()) ? Reading.STREAM_BACKWARDS : Reading.PAGE_BACKWARDS;
            return new EventQuery(conditions.document(met), reversed, 0, page.size(), hint, reading);
        }
        return new EventQuery(conditions.document(met), sort, 0, ALL, hint, Reading.STREAM);
    }

    /** The stages that find the rows in what others have made of documents before. */
    List<Document> stages(DocumentLayout layout) {
        List<Document> stages = new ArrayList<>(layout.stages());
        stages.add(new Document("$match", filter));
        if (!sort.isEmpty()) {
            stages.add(new Document("$sort", sort));
        }
        if (skip > 0) {
            stages.add(new Document("$skip", skip));
        }
        if (limit != ALL) {
            stages.add(new Document("$limit", limit));
        }
        stages.add(new Document("$project", layout.rows()));
        return stages;
    }

    /** The stages that read a result backwards and turn it round; only for {@link Reading#STREAM_BACKWARDS}. */
    List<Document> turned(DocumentLayout layout) {
        Document newest = layout.order(Order.NEWEST_FIRST);
        return layout.pipeline(
                "last-page",
                Map.of(
                        "conditions",
                        filter,
                        "backwards",
                        sort,
                        "limit",
                        limit,
                        "forwards",
                        sort.equals(newest) ? layout.order(Order.OLDEST_FIRST) : newest,
                        "rows",
                        layout.rows()));
    }

    private static Reading reading(int size) {
        return Portions.make(size) ? Reading.STREAM : Reading.PAGE;
    }

    /** Whether the page holds all rows, of which there is one at most: the server then goes straight to the id. */
    private static boolean isSingle(Search search) {
        return !Hint.concerns(search) && search.page().pageClass() != PageClass.DEEPER;
    }
}
