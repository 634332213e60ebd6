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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.database.SearchException.Kind;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.server.ServerErrors;

/** What the errors of server and driver mean for a run. */
final class MongodbErrors extends ServerErrors<MongoException> {
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

    /** All of them. */
    static final MongodbErrors ERRORS = new MongodbErrors();

    private MongodbErrors() {
        super(MongoException.class);
    }

    /** The driver's own words are a dump of all it knows; the reason is what it met at the server. */
    TargetException connecting(String where, MongoClient client, MongoException e) {
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

    /** An interrupted operation counts as a timeout from the search timeout on. */
    @Override
    protected Kind kind(MongoException e, boolean isLate) {
        if (e.getCode() == INTERRUPTED) {
            return isLate ? Kind.TIMEOUT : Kind.CANCELLED;
        } else if (e instanceof MongoExecutionTimeoutException) {
            return Kind.TIMEOUT;
        } else if (e instanceof MongoSecurityException || REFUSED.contains(e.getCode())) {
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

    @Override
    protected String advice(MongoException e) {
        if (e instanceof MongoSecurityException) {
            return LOGIN_ADVICE;
        }
        return isConnection(e) ? UNREACHABLE_ADVICE : ADVICE.getOrDefault(number(e), "");
    }

    /** The server's words alone: the driver's own message repeats the whole answer, and a duplicate key its value. */
    @Override
    protected String message(MongoException e) {
        if (number(e) == DUPLICATE_KEY) {
            return "duplicate key";
        }
        Optional<BulkWriteError> first = firstError(e);
        if (first.isPresent()) {
            return first.orElseThrow().getMessage();
        }
        String message = e instanceof MongoCommandException command ? command.getErrorMessage() : e.getMessage();
        return message == null || message.isEmpty() ? e.getClass().getSimpleName() : message;
    }

    @Override
    protected String code(MongoException e) {
        return number(e) > 0 ? Integer.toString(number(e)) : "";
    }

    @Override
    protected String shownCode(MongoException e) {
        return number(e) > 0 ? "code " + number(e) : "";
    }

    private static int number(MongoException e) {
        return firstError(e).map(BulkWriteError::getCode).orElseGet(e::getCode);
    }

    private static Optional<BulkWriteError> firstError(MongoException e) {
        return e instanceof MongoBulkWriteException bulk
                ? bulk.getWriteErrors().stream().findFirst()
                : Optional.empty();
    }
}
