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
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.database.SearchException.Kind;
import siemload.database.ServerAddress;
import siemload.database.server.ServerErrors;

/** What the errors of server and driver mean for a run. */
final class MongodbErrors extends ServerErrors<MongoException> {
    static final int UNAUTHORIZED = 13;
    /** Of what a server that only speaks MongoDB's protocol has not. */
    static final int NOT_IMPLEMENTED = 238;

    static final int DUPLICATE_KEY = 11_000;
    /** Of an operation that somebody stopped. */
    static final int INTERRUPTED = 11_601;

    private static final int AUTHENTICATION_FAILED = 18;
    private static final int EXCEEDED_MEMORY = 146;
    private static final int EXCEEDED_MEMORY_WITHOUT_DISK = 292;
    private static final int DISK_FULL = 14_031;

    /** What the driver met last, in its dump of all it knows of a server that it cannot reach. */
    private static final Pattern CAUSE = Pattern.compile("(?s).*(?:exception=|caused by )\\{[\\w.$]+: ([^{}]+)}.*");

    /** All of them. */
    static final MongodbErrors ERRORS = new MongodbErrors();

    private MongodbErrors() {
        super(MongoException.class);
    }

    @Override
    protected Meaning meaning(MongoException e) {
        if (e instanceof MongoExecutionTimeoutException) {
            return new Meaning(Kind.TIMEOUT, "");
        } else if (e instanceof MongoSocketException
                || e instanceof MongoTimeoutException
                || e instanceof MongoNotPrimaryException
                || e instanceof MongoNodeIsRecoveringException) {
            return new Meaning(Kind.CONNECTION, "Check host and port in the url, and that the server runs.");
        }
        return switch (e instanceof MongoSecurityException ? AUTHENTICATION_FAILED : number(e)) {
            case UNAUTHORIZED ->
                new Meaning(
                        Kind.REFUSED,
                        "The user needs the role readWrite on the database that the url names (default: siemload).");
            case AUTHENTICATION_FAILED ->
                new Meaning(
                        Kind.REFUSED,
                        ServerAddress.LOGIN_ADVICE + ", and authSource in the url to the database that knows him.");
            case EXCEEDED_MEMORY, EXCEEDED_MEMORY_WITHOUT_DISK -> new Meaning(Kind.REFUSED, "");
            case DUPLICATE_KEY -> new Meaning(Kind.OTHER, "An event id occurs twice in the data set.");
            case INTERRUPTED -> new Meaning(Kind.CANCELLED, "");
            case DISK_FULL ->
                new Meaning(Kind.REFUSED, "The disk is full: free some space, or take a smaller data set.");
            default -> Meaning.UNKNOWN;
        };
    }

    /** The server's words alone: the driver's own message repeats the whole answer, and a duplicate key its value. */
    @Override
    protected String message(MongoException e) {
        if (number(e) == DUPLICATE_KEY) {
            return "duplicate key";
        }
        String words = firstError(e)
                .map(BulkWriteError::getMessage)
                .orElseGet(() -> Objects.requireNonNullElse(
                        e instanceof MongoCommandException command ? command.getErrorMessage() : e.getMessage(), ""));
        if (words.isEmpty()) {
            return e.getClass().getSimpleName();
        }
        Matcher cause = CAUSE.matcher(words);
        return e instanceof MongoTimeoutException && cause.matches() ? cause.group(1) : words;
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
