package siemload.database.opensearch;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.ServerAddress;
import siemload.database.TargetException;

/** What the errors of the server mean for a run. */
final class OpenSearchErrors {
    static final int NOT_FOUND = 404;
    static final int BAD_REQUEST = 400;
    static final int CONFLICT = 409;
    /** The code of a search that was stopped, as the server calls it. */
    static final String CANCELLED_CODE = "task_cancelled_exception";

    private static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final Set<Integer> REFUSED = Set.of(UNAUTHORIZED, FORBIDDEN, TOO_MANY_REQUESTS);
    private static final Set<Integer> UNREACHABLE = Set.of(0, 502, 503, 504);

    private static final String DUPLICATE_TYPE = "version_conflict_engine_exception";

    private OpenSearchErrors() {}

    /** For an error in a run. */
    static SearchException inRun(OpenSearchException e, Duration elapsed, Duration timeout) {
        Kind kind = kindOf(e);
        boolean late = isAtLeast(elapsed, timeout);
        if (e.type().equals(CANCELLED_CODE)) {
            kind = late ? Kind.TIMEOUT : Kind.CANCELLED;
        } else if (e.status() == 0 && late) {
            kind = Kind.TIMEOUT;
        }
        return new SearchException(kind, code(e), String.valueOf(e.getMessage()), e);
    }

    private static boolean isAtLeast(Duration elapsed, Duration timeout) {
        return elapsed.compareTo(timeout) >= 0;
    }

    private static Kind kindOf(OpenSearchException e) {
        if (REFUSED.contains(e.status())) {
            return Kind.REFUSED;
        }
        return UNREACHABLE.contains(e.status()) ? Kind.CONNECTION : Kind.OTHER;
    }

    private static String code(OpenSearchException e) {
        return e.type().isEmpty() && e.status() > 0 ? "HTTP " + e.status() : e.type();
    }

    /** Does a piece of a run, which may take so long. @throws SearchException in place of the client's error */
    static <T> T answering(Duration timeout, Supplier<T> work) {
        long start = System.nanoTime();
        try {
            return work.get();
        } catch (OpenSearchException e) {
            throw inRun(e, Duration.ofNanos(System.nanoTime() - start), timeout);
        } catch (CancellationException stopped) {
            boolean late = isAtLeast(Duration.ofNanos(System.nanoTime() - start), timeout);
            throw new SearchException(
                    late ? Kind.TIMEOUT : Kind.CANCELLED,
                    CANCELLED_CODE,
                    late ? "no answer within " + timeout.toMillis() + " ms" : "the search was cancelled",
                    stopped);
        }
    }

    /** For an error before or after a run: what was tried, what the server said, what can be done. */
    static TargetException outsideRun(String tried, OpenSearchException e) {
        String code = code(e).isEmpty() ? "" : " (" + code(e) + ")";
        return new TargetException(tried + ": " + e.getMessage() + code + advice(e), e);
    }

    /**
     * Does something before or after a run.
     *
     * @param tried for people: {@code count the events}
     */
    static <T> T trying(String tried, Supplier<T> work) {
        try {
            return work.get();
        } catch (OpenSearchException e) {
            throw outsideRun("cannot " + tried, e);
        }
    }

    private static String advice(OpenSearchException e) {
        String advice = switch (e.status()) {
            case 0, 502, 504 -> "Check scheme, host and port in the url, and that the server runs.";
            case UNAUTHORIZED -> ServerAddress.LOGIN_ADVICE + ".";
            case FORBIDDEN ->
                "The user needs the cluster permissions cluster_composite_ops and cluster_monitor, and indices_all on"
                        + " siemload_*, or read on indexes that are there already; a full disk makes indexes read-only, too.";
            case TOO_MANY_REQUESTS ->
                "The server has no memory or no free thread for it, or a full disk: give it more, or load it less.";
            default -> e.type().equals(DUPLICATE_TYPE) ? "An event id occurs twice in the data set." : "";
        };
        return advice.isEmpty() ? "" : ". " + advice;
    }
}
