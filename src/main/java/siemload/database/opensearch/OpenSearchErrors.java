package siemload.database.opensearch;

import java.util.Set;
import siemload.database.SearchException.Kind;
import siemload.database.ServerAddress;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.server.ServerErrors;

/** What the errors of the server mean for a run. */
final class OpenSearchErrors extends ServerErrors<OpenSearchException> {
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

    static final String DUPLICATE_TYPE = "version_conflict_engine_exception";

    /** All of them. */
    static final OpenSearchErrors ERRORS = new OpenSearchErrors();

    private OpenSearchErrors() {
        super(OpenSearchException.class);
    }

    @Override
    protected Kind kind(OpenSearchException e, boolean isLate) {
        boolean isStopped = e.type().equals(CANCELLED_CODE);
        if (isLate && (isStopped || e.status() == 0)) {
            return Kind.TIMEOUT;
        } else if (isStopped) {
            return Kind.CANCELLED;
        } else if (REFUSED.contains(e.status())) {
            return Kind.REFUSED;
        }
        return UNREACHABLE.contains(e.status()) ? Kind.CONNECTION : Kind.OTHER;
    }

    @Override
    protected String code(OpenSearchException e) {
        return e.type().isEmpty() && e.status() > 0 ? "HTTP " + e.status() : e.type();
    }

    @Override
    protected String message(OpenSearchException e) {
        return String.valueOf(e.getMessage());
    }

    @Override
    protected String advice(OpenSearchException e) {
        return switch (e.status()) {
            case 0, 502, 504 -> "Check scheme, host and port in the url, and that the server runs.";
            case UNAUTHORIZED -> ServerAddress.LOGIN_ADVICE + ".";
            case FORBIDDEN ->
                "The user needs the cluster permissions cluster_composite_ops and cluster_monitor, and indices_all on"
                        + " siemload_*, or read on indexes that are there already; a full disk makes indexes read-only, too.";
            case TOO_MANY_REQUESTS ->
                "The server has no memory or no free thread for it, or a full disk: give it more, or load it less.";
            default -> e.type().equals(DUPLICATE_TYPE) ? "An event id occurs twice in the data set." : "";
        };
    }
}
