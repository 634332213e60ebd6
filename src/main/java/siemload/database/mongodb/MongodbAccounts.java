package siemload.database.mongodb;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.bson.Document;
import siemload.database.AccountScale;
import siemload.database.AccountSession;
import siemload.database.Accounts;
import siemload.database.Books;
import siemload.database.TargetException;
import siemload.database.mongodb.MongodbAccountSession.Atomicity;
import siemload.database.mongodb.layout.BsonTemplate;

/**
 * Documents in the collection of a run, which holds no events then. A replica set makes a withdrawal in one transaction. A server of
 * its own knows none: there each document changes as a whole, and the history gets its own last.
 */
record MongodbAccounts(MongoClient client, MongoCollection<Document> documents, Duration timeout) implements Accounts {
    private static final BsonTemplate BOOKS = BsonTemplate.read("accounts/books.json");
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);
    private static final int BATCH = 10_000;
    /** As wide as elsewhere. */
    private static final String FILLER = " ".repeat(84);

    /** What holds a balance, or is a withdrawal. */
    enum Kind {
        ACCOUNT("account"),
        TELLER("teller"),
        BRANCH("branch"),
        HISTORY("history");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** The key of the document of this number: {@code account 5}. */
        String id(long number) {
            return label + " " + number;
        }

        String label() {
            return label;
        }
    }

    @Override
    public void fill(AccountScale scale, LongConsumer filled) {
        MongodbErrors.running("fill the accounts in " + documents.getNamespace(), () -> {
            insert(Kind.ACCOUNT, scale.accounts(), filled);
            insert(Kind.TELLER, scale.tellers(), unused -> {});
            insert(Kind.BRANCH, scale.branches(), unused -> {});
        });
    }

    private void insert(Kind kind, long rows, LongConsumer inserted) {
        List<Document> batch = new ArrayList<>(BATCH);
        for (long row = 1; row <= rows; row++) {
            batch.add(new Document("_id", kind.id(row))
                    .append("kind", kind.label())
                    .append("branch", branch(kind, row))
                    .append("balance", 0L)
                    .append("filler", FILLER));
            if (batch.size() == BATCH || row == rows) {
                documents.insertMany(batch, UNORDERED);
                batch.clear();
                inserted.accept(row);
            }
        }
    }

    private static long branch(Kind kind, long row) {
        return switch (kind) {
            case ACCOUNT -> AccountScale.branchOfAccount(row);
            case TELLER -> AccountScale.branchOfTeller(row);
            case BRANCH, HISTORY -> row;
        };
    }

    @Override
    public AccountSession openSession() {
        Atomicity atomicity = switch (client.getClusterDescription().getType()) {
            case REPLICA_SET, SHARDED, LOAD_BALANCED -> Atomicity.TRANSACTION;
            case STANDALONE -> Atomicity.DOCUMENT;
            case UNKNOWN ->
                throw new TargetException("cannot open a session for transactions in " + documents.getNamespace()
                        + ": no server answers at the moment, so that nobody knows whether it has transactions"
                        + " (check that it runs, and start the run again)");
        };
        return new MongodbAccountSession(client, documents, timeout, atomicity);
    }

    @Override
    public Books books() {
        return MongodbErrors.trying("add up the accounts in " + documents.getNamespace(), () -> {
            Map<String, Document> sums = new HashMap<>();
            documents.aggregate(BOOKS.pipeline(Map.of())).forEach(sum -> sums.put(sum.getString("_id"), sum));
            Document history = of(sums, Kind.HISTORY);
            return new Books(
                    -of(sums, Kind.ACCOUNT).get("balance", (Number) 0L).longValue(),
                    -of(sums, Kind.TELLER).get("balance", (Number) 0L).longValue(),
                    -of(sums, Kind.BRANCH).get("balance", (Number) 0L).longValue(),
                    history.get("amount", (Number) 0L).longValue(),
                    history.get("rows", (Number) 0L).longValue());
        });
    }

    private static Document of(Map<String, Document> sums, Kind kind) {
        return sums.getOrDefault(kind.label(), new Document());
    }
}
