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
import java.util.Optional;
import siemload.database.SearchException.Kind;
import siemload.database.ServerAddress;
import siemload.database.server.ServerErrors;

/** What the errors of server and driver mean for a run. */
final class MongodbErrors extends ServerErrors<MongoException> {
    static final int DUPLICATE_KEY = 11_000;
    static final int UNAUTHORIZED = 13;
    /** Of what a server that only speaks MongoDB's protocol has not. */
    static final int NOT_IMPLEMENTED = 238;
    /** Of an operation that somebody stopped. */
    static final int INTERRUPTED = 11_601;

    private static final int AUTHENTICATION_FAILED = 18;
    private static final int EXCEEDED_MEMORY = 146;
    private static final int EXCEEDED_MEMORY_WITHOUT_DISK = 292;
    private static final int DISK_FULL = 14_031;

    static final String UNREACHABLE_ADVICE = "Check host and port in the url, and that the server runs.";
    private static final Meaning LOGIN = new Meaning(
            Kind.REFUSED, ServerAddress.LOGIN_ADVICE + ", and authSource in the url to the database that knows him.");

    /** All of them. */
    static final MongodbErrors ERRORS = new MongodbErrors();

    private record Meaning(Kind kind, String advice) {}

    private MongodbErrors() {
        super(MongoException.class);
    }

    private static Meaning meaning(MongoException e) {
        if (e instanceof MongoExecutionTimeoutException) {
            return new Meaning(Kind.TIMEOUT, "");
        } else if (e instanceof MongoSecurityException) {
            return LOGIN;
        } else if (e instanceof MongoSocketException
                || e instanceof MongoTimeoutException
                || e instanceof MongoNotPrimaryException
                || e instanceof MongoNodeIsRecoveringException) {
            return new Meaning(Kind.CONNECTION, UNREACHABLE_ADVICE);
        }
        return switch (number(e)) {
            case INTERRUPTED -> new Meaning(Kind.CANCELLED, "");
            case UNAUTHORIZED ->
                new Meaning(
                        Kind.REFUSED,
                        "The user needs the role readWrite on the database that the url names (default: siemload), or read to"
                                + " ask what is there already.");
            case AUTHENTICATION_FAILED -> LOGIN;
            case EXCEEDED_MEMORY, EXCEEDED_MEMORY_WITHOUT_DISK -> new Meaning(Kind.REFUSED, "");
            case DISK_FULL ->
                new Meaning(Kind.REFUSED, "The disk is full: free some space, or take a smaller data set.");
            case DUPLICATE_KEY -> new Meaning(Kind.OTHER, "An event id occurs twice in the data set.");
            default -> new Meaning(Kind.OTHER, "");
        };
    }

    /** An interrupted operation counts as a timeout from the search timeout on. */
    @Override
    protected Kind kind(MongoException e, boolean isLate) {
        Kind kind = meaning(e).kind;
        return kind == Kind.CANCELLED && isLate ? Kind.TIMEOUT : kind;
    }

    @Override
    protected String advice(MongoException e) {
        return meaning(e).advice;
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
