package siemload.database.mongodb;

import com.mongodb.client.MongoCollection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import siemload.database.ExistingEvents;
import siemload.database.Hint;
import siemload.database.RowReader.DetachedRow;
import siemload.database.SearchSession;
import siemload.database.TargetException;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/** One whose documents are searched by a layout without loading. Nothing but aggregations without a stage that writes is sent. */
final class EventsMongodbStore extends ExistingMongodbStore implements ExistingEvents {
    private final DocumentVariant variant;
    private final MongoCollection<Document> documents;

    EventsMongodbStore(MongodbConnections connections, DocumentVariant variant) {
        super(connections);
        this.variant = variant;
        this.documents =
                client().getDatabase(database()).getCollection(variant.layout().collection());
        missing(variant.layout().collection()).ifPresent(why -> {
            close();
            throw new TargetException(why);
        });
    }

    @Override
    public SearchSession openSession() {
        return openSession(variant.hint());
    }

    @Override
    public SearchSession openSession(Hint hint) {
        return new MongodbSession(client(), documents, variant.with(hint), timeout(), watchers());
    }

    @Override
    public Span span() {
        return queries().span();
    }

    @Override
    public Map<ValueField, List<CountedValue>> values(int most) {
        Map<ValueField, List<CountedValue>> values = new EnumMap<>(ValueField.class);
        DocumentQueries queries = queries();
        variant.layout().values().forEach((field, query) -> values.put(field, queries.values(field, query, most)));
        return values;
    }

    private DocumentQueries queries() {
        EventCommands commands = new EventCommands(documents.withDocumentClass(DetachedRow.class), variant, timeout());
        StoppableOperation operation = new StoppableOperation(client().getDatabase("admin"), timeout(), watchers());
        return new DocumentQueries(commands, operation);
    }
}
