package siemload.database.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.bson.Document;
import org.bson.conversions.Bson;
import siemload.database.AccountRows;
import siemload.database.AccountSession;
import siemload.database.SearchException;
import siemload.database.TransactionException;
import siemload.database.TransactionException.Kind;
import siemload.database.Withdrawal;
import siemload.database.mongodb.layout.BsonTemplate;

/** One user of the run's pool of connections. Each balance is read and changed by one findAndModify. */
final class MongodbAccountSession implements AccountSession {
    private static final BsonTemplate TAKE = BsonTemplate.read("accounts/take.json");
    private static final BsonTemplate LOOK = BsonTemplate.read("accounts/look.json");
    private static final FindOneAndUpdateOptions NEW_BALANCE =
            new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);

    private final MongoCollection<Document> documents;
    private final Duration timeout;
    /** Makes transactions; empty where the server knows none. */
    private final Optional<ClientSession> session;

    private boolean committing;

    /** What is there as a whole, or not at all. */
    enum Atomicity {
        /** All that a withdrawal changes: the server has transactions. */
        TRANSACTION,
        /** Each document; one that is killed in between leaves a withdrawal in part. */
        DOCUMENT
    }

    MongodbAccountSession(
            MongoClient client, MongoCollection<Document> documents, Duration timeout, Atomicity atomicity) {
        this.documents = documents;
        this.timeout = timeout;
        this.session = switch (atomicity) {
            case TRANSACTION -> Optional.of(client.startSession());
            case DOCUMENT -> Optional.empty();
        };
    }

    @Override
    public void withdraw(List<Withdrawal> withdrawals) {
        transaction(() -> {
            take(MongodbAccounts.Kind.ACCOUNT, withdrawals, AccountRows::account);
            take(MongodbAccounts.Kind.TELLER, withdrawals, AccountRows::teller);
            take(MongodbAccounts.Kind.BRANCH, withdrawals, AccountRows::branch);
            insert(withdrawals.stream().map(MongodbAccountSession::document).toList());
            return 0;
        });
    }

    @Override
    public long read(List<AccountRows> rows) {
        return transaction(() -> {
            long sum = 0;
            for (AccountRows one : rows) {
                sum += balance(MongodbAccounts.Kind.ACCOUNT, one.account());
                sum += balance(MongodbAccounts.Kind.TELLER, one.teller());
                sum += balance(MongodbAccounts.Kind.BRANCH, one.branch());
            }
            return sum;
        });
    }

    /**
     * In a transaction that counts up how often somebody looked at the account, which fails as a conflict while another one is
     * changing it. A change by 0 would be none to the server, and would conflict with nothing.
     */
    @Override
    public boolean isInHistory(Withdrawal withdrawal) {
        return transaction(() -> {
                    if (session.isPresent()) {
                        changed(MongodbAccounts.Kind.ACCOUNT, withdrawal.rows().account(), LOOK.document(Map.of()));
                    }
                    return find(MongodbAccounts.Kind.HISTORY, withdrawal.id()).isPresent() ? 1 : 0;
                })
                > 0;
    }

    @Override
    public void close() {
        session.ifPresent(ClientSession::close);
    }

    /** What belongs together. */
    @FunctionalInterface
    private interface Work {
        long done();
    }

    private long transaction(Work work) {
        committing = session.isEmpty();
        long start = System.nanoTime();
        try {
            session.ifPresent(ClientSession::startTransaction);
            long result = work.done();
            committing = true;
            session.ifPresent(ClientSession::commitTransaction);
            return result;
        } catch (MongoException e) {
            TransactionException failed = failed(e, Duration.ofNanos(System.nanoTime() - start));
            abort();
            throw failed;
        }
    }

    private void abort() {
        try {
            session.filter(ClientSession::hasActiveTransaction).ifPresent(ClientSession::abortTransaction);
        } catch (MongoException gone) {
            // The server rolls back what it does not hear of any more.
        }
    }

    private TransactionException failed(MongoException e, Duration elapsed) {
        SearchException told = MongodbErrors.inRun(e, elapsed, timeout);
        return new TransactionException(kind(e, told.kind()), String.valueOf(told.getMessage()), e);
    }

    private Kind kind(MongoException e, SearchException.Kind kind) {
        boolean lost = kind == SearchException.Kind.CONNECTION;
        boolean rolledBack = e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
        if (rolledBack && !lost) {
            return Kind.CONFLICT;
        }
        if (committing && (lost || e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL))) {
            return Kind.UNKNOWN;
        }
        return lost ? Kind.LOST : Kind.REFUSED;
    }

    private void take(MongodbAccounts.Kind kind, List<Withdrawal> withdrawals, ToLongFunction<AccountRows> number) {
        List<Withdrawal> sorted = new ArrayList<>(withdrawals);
        sorted.sort(Comparator.comparingLong(one -> number.applyAsLong(one.rows())));
        for (Withdrawal one : sorted) {
            changed(kind, number.applyAsLong(one.rows()), TAKE.document(Map.of("amount", (long) -one.amount())));
        }
    }

    private void changed(MongodbAccounts.Kind kind, long number, Document increment) {
        Bson document = of(kind, number);
        Document unused = requireThere(
                Optional.ofNullable(
                        session.isPresent()
                                ? documents.findOneAndUpdate(session.orElseThrow(), document, increment, NEW_BALANCE)
                                : documents.findOneAndUpdate(document, increment, NEW_BALANCE)),
                kind,
                number);
    }

    private void insert(List<Document> withdrawals) {
        var unused = session.isPresent()
                ? documents.insertMany(session.orElseThrow(), withdrawals)
                : documents.insertMany(withdrawals);
    }

    private long balance(MongodbAccounts.Kind kind, long number) {
        return requireThere(find(kind, number), kind, number)
                .get("balance", (Number) 0L)
                .longValue();
    }

    private Optional<Document> find(MongodbAccounts.Kind kind, long number) {
        return Optional.ofNullable(session.map(open -> documents.find(open, of(kind, number)))
                .orElseGet(() -> documents.find(of(kind, number)))
                .first());
    }

    private static Document requireThere(Optional<Document> document, MongodbAccounts.Kind kind, long number) {
        return document.orElseThrow(() -> new MongoException("there is no document " + kind.id(number)));
    }

    private static Bson of(MongodbAccounts.Kind kind, long number) {
        return Filters.eq("_id", kind.id(number));
    }

    private static Document document(Withdrawal one) {
        return new Document("_id", MongodbAccounts.Kind.HISTORY.id(one.id()))
                .append("kind", MongodbAccounts.Kind.HISTORY.label())
                .append("account", one.rows().account())
                .append("teller", one.rows().teller())
                .append("branch", one.rows().branch())
                .append("amount", (long) one.amount())
                .append("at", Instant.now());
    }
}
