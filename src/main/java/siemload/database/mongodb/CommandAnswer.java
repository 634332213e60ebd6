package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * The rows of a command's answer: the documents of a cursor, which is read to its end batch by batch, the values of distinct, or the one
 * number of count. Not thread-safe.
 *
 * @param session in which cursors are read on; empty where the server knows none
 */
record CommandAnswer(MongoDatabase database, Optional<ClientSession> session) {
    private static final int PARTS_OF_A_NAMESPACE = 2;

    /** Rows one after the other. */
    interface Rows extends AutoCloseable {
        /** The next one; empty at the end. */
        Optional<BsonValue> next();

        @Override
        void close();
    }

    /** Sends a command that reads; the first rows are there when it returns. */
    Rows to(BsonDocument command) {
        BsonDocument answer = send(command);
        BsonValue cursor = answer.get("cursor");
        if (cursor != null) {
            return new Cursor(batchSize(command), cursor.asDocument());
        }
        BsonValue values = answer.get("values");
        return new Received(
                values == null
                        ? List.of(new BsonInt64(answer.getNumber("n").longValue()))
                                .iterator()
                        : values.asArray().iterator());
    }

    private BsonDocument send(BsonDocument command) {
        return session.isPresent()
                ? database.runCommand(session.get(), command, RawBsonDocument.class)
                : database.runCommand(command, RawBsonDocument.class);
    }

    /** As the user of the command has it, there and for all that follows. */
    private static Optional<BsonValue> batchSize(BsonDocument command) {
        BsonValue cursor = command.get("cursor");
        return Optional.ofNullable(command.get("batchSize"))
                .or(() -> cursor == null
                        ? Optional.empty()
                        : Optional.ofNullable(cursor.asDocument().get("batchSize")));
    }

    private record Received(Iterator<? extends BsonValue> values) implements Rows {
        @Override
        public Optional<BsonValue> next() {
            return values.hasNext() ? Optional.of(values.next()) : Optional.empty();
        }

        @Override
        public void close() {}
    }

    /** A cursor of the server. */
    private final class Cursor implements Rows {
        private final Optional<BsonValue> batchSize;
        private final String collection;
        private long id;
        private Iterator<BsonValue> batch;

        Cursor(Optional<BsonValue> batchSize, BsonDocument opened) {
            this.batchSize = batchSize.filter(size -> size.asNumber().longValue() > 0);
            this.collection = opened.getString("ns").getValue().split("\\.", PARTS_OF_A_NAMESPACE)[1];
            this.id = opened.getNumber("id").longValue();
            this.batch = opened.getArray("firstBatch").iterator();
        }

        @Override
        public Optional<BsonValue> next() {
            while (!batch.hasNext() && id != 0) {
                BsonDocument more =
                        new BsonDocument("getMore", new BsonInt64(id)).append("collection", new BsonString(collection));
                batchSize.ifPresent(size -> more.append("batchSize", size));
                BsonDocument cursor = send(more).getDocument("cursor");
                id = cursor.getNumber("id").longValue();
                batch = cursor.getArray("nextBatch").iterator();
            }
            return batch.hasNext() ? Optional.of(batch.next()) : Optional.empty();
        }

        /** One that was read to its end is closed already. */
        @Override
        public void close() {
            if (id != 0) {
                try {
                    BsonDocument unused = send(new BsonDocument("killCursors", new BsonString(collection))
                            .append("cursors", new BsonArray(List.of(new BsonInt64(id)))));
                } catch (MongoException unreachable) {
                    // The server closes it by itself after some minutes; whoever reads has met the same trouble.
                }
                id = 0;
            }
        }
    }
}
