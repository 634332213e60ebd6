package siemload.database.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.client.MongoClient;
import com.mongodb.connection.ServerDescription;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.ServerAddress;
import siemload.database.TargetException;

/** What the errors of server and driver mean for a run. */
final class MongodbErrors {
    static final int DUPLICATE_KEY = 11_000;
    static final int INDEX_NOT_FOUND = 27;
    static final int UNAUTHORIZED = 13;

    private static final int AUTHENTICATION_FAILED = 18;
    /** The code of an operation that somebody stopped. */
    static final String INTERRUPTED_CODE = "11601";

    private static final int INTERRUPTED = 11_601;
    /** Unauthorized, AuthenticationFailed, ExceededMemoryLimit, QueryExceededMemoryLimitNoDiskUseAllowed, disk full. */
    private static final Set<Integer> REFUSED = Set.of(UNAUTHORIZED, AUTHENTICATION_FAILED, 146, 292, 14_031);

    private static final String LOGIN_ADVICE =
            ServerAddress.LOGIN_ADVICE + ", and authSource in the url to the database that knows him.";
    private static final String UNREACHABLE_ADVICE = "Check host and port in the url, and that the server runs.";
    private static final Map<Integer, String> ADVICE = Map.of(
            UNAUTHORIZED,
            "The user needs the role readWrite on the database that the url names (default: siemload), or read to ask what is"
                    + " there already.",
            AUTHENTICATION_FAILED,
            LOGIN_ADVICE,
            DUPLICATE_KEY,
            "An event id occurs twice in the data set.",
            14_031,
            "The disk is full: free some space, or take a smaller data set.");

    private MongodbErrors() {}

    /** For an error in a run; an interrupted operation counts as a timeout from the search timeout on. */
    static SearchException inRun(MongoException e, Duration elapsed, Duration timeout) {
        Kind kind = kindOf(e);
        if (e.getCode() == INTERRUPTED) {
            kind = elapsed.compareTo(timeout) >= 0 ? Kind.TIMEOUT : Kind.CANCELLED;
        }
        return new SearchException(kind, code(e), message(e), e);
    }

    /** Does a piece of a run, which may take so long. @throws SearchException in place of the driver's error */
    static <T> T answering(Duration timeout, Supplier<T> work) {
        long start = System.nanoTime();
        try {
            return work.get();
        } catch (MongoException e) {
            throw inRun(e, Duration.ofNanos(System.nanoTime() - start), timeout);
        }
    }

    /** For an error before or after a run: what was tried, what the server said, what can be done. */
    static TargetException outsideRun(String tried, MongoException e) {
        String code = code(e).isEmpty() ? "" : " (code " + code(e) + ")";
        return new TargetException(tried + ": " + message(e) + code + advice(e), e);
    }

    /**
     * Does something before or after a run.
     *
     * @param tried for people: {@code count the events}
     */
    static <T> T trying(String tried, Supplier<T> work) {
        try {
            return work.get();
        } catch (MongoException e) {
            throw outsideRun("cannot " + tried, e);
        }
    }

    /** The same without an answer. */
    static void running(String tried, Runnable work) {
        boolean unused = trying(tried, () -> {
            work.run();
            return true;
        });
    }

    /** The driver's own words are a dump of all it knows; the reason is what it met at the server. */
    static TargetException connecting(String where, MongoClient client, MongoException e) {
        String tried = "cannot connect to MongoDB at " + where;
        if (!(e instanceof MongoTimeoutException)) {
            return outsideRun(tried, e);
        }
        String reason = client.getClusterDescription().getServerDescriptions().stream()
                .map(ServerDescription::getException)
                .filter(met -> met != null)
                .findFirst()
                .map(met -> ": " + rootOf(met).getMessage())
                .orElse("");
        return new TargetException(tried + reason + ". " + UNREACHABLE_ADVICE, e);
    }

    private static Throwable rootOf(Throwable error) {
        Throwable cause = error.getCause();
        return cause == null || cause == error ? error : rootOf(cause);
    }

    private static Kind kindOf(MongoException e) {
        if (e instanceof MongoExecutionTimeoutException) {
            return Kind.TIMEOUT;
        }
        if (e instanceof MongoSecurityException || REFUSED.contains(e.getCode())) {
            return Kind.REFUSED;
        }
        return isConnection(e) ? Kind.CONNECTION : Kind.OTHER;
    }

    private static boolean isConnection(MongoException e) {
        return e instanceof MongoSocketException
                || e instanceof MongoTimeoutException
                || e instanceof MongoNotPrimaryException
                || e instanceof MongoNodeIsRecoveringException;
    }

    private static String advice(MongoException e) {
        String advice = e instanceof MongoSecurityException
                ? LOGIN_ADVICE
                : isConnection(e) ? UNREACHABLE_ADVICE : ADVICE.getOrDefault(code(firstError(e), e), "");
        return advice.isEmpty() ? "" : ". " + advice;
    }

    /** The server's words alone: the driver's own message repeats the whole answer, and a duplicate key its value. */
    private static String message(MongoException e) {
        Optional<BulkWriteError> first = firstError(e);
        if (code(first, e) == DUPLICATE_KEY) {
            return "duplicate key";
        }
        if (first.isPresent()) {
            return first.orElseThrow().getMessage();
        }
        String message = e instanceof MongoCommandException command ? command.getErrorMessage() : e.getMessage();
        return message == null || message.isEmpty() ? e.getClass().getSimpleName() : message;
    }

    private static String code(MongoException e) {
        int code = code(firstError(e), e);
        return code > 0 ? Integer.toString(code) : "";
    }

    private static int code(Optional<BulkWriteError> first, MongoException e) {
        return first.isPresent() ? first.orElseThrow().getCode() : e.getCode();
    }

    private static Optional<BulkWriteError> firstError(MongoException e) {
        return e instanceof MongoBulkWriteException bulk
                ? bulk.getWriteErrors().stream().findFirst()
                : Optional.empty();
    }
}
