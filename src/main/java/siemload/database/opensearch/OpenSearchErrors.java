package siemload.database.opensearch;

import siemload.database.SearchException.Kind;
import siemload.database.ServerAddress;
import siemload.database.opensearch.OpenSearchClient.OpenSearchException;
import siemload.database.server.ServerErrors;

/** What the errors of the server mean for a run. */
final class OpenSearchErrors extends ServerErrors<OpenSearchException> {
    static final int BAD_REQUEST = 400;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int CONFLICT = 409;
    /** The code of a search that was stopped, as the server calls it. */
    static final String CANCELLED_CODE = "task_cancelled_exception";

    /** All of them. */
    static final OpenSearchErrors ERRORS = new OpenSearchErrors();

    private OpenSearchErrors() {
        super(OpenSearchException.class);
    }

    /** By the server's name, or by the status of HTTP, which is 0 where no answer came. */
    @Override
    protected Meaning meaning(OpenSearchException e) {
        if (e.type().equals(CANCELLED_CODE)) {
            return new Meaning(Kind.CANCELLED, "");
        } else if (e.type().equals("version_conflict_engine_exception")) {
            return new Meaning(Kind.OTHER, "An event id occurs twice in the data set.");
        }
        return switch (e.status()) {
            case 0, 502, 504 ->
                new Meaning(Kind.CONNECTION, "Check scheme, host and port in the url, and that the server runs.");
            case 503 -> new Meaning(Kind.CONNECTION, "");
            case 401 -> new Meaning(Kind.REFUSED, ServerAddress.LOGIN_ADVICE + ".");
            case FORBIDDEN ->
                new Meaning(
                        Kind.REFUSED,
                        "The user needs the cluster permissions cluster_composite_ops and cluster_monitor, and"
                                + " indices_all on siemload_*, or read on indexes that are there already; a full disk makes"
                                + " indexes read-only, too.");
            case 429 ->
                new Meaning(
                        Kind.REFUSED,
                        "The server has no memory or no free thread for it, or a full disk: give it more, or load it"
                                + " less.");
            default -> Meaning.UNKNOWN;
        };
    }

    /** The client gives up at its own deadline, too. */
    @Override
    protected boolean mayBeTimeout(OpenSearchException e) {
        return e.status() == 0 || super.mayBeTimeout(e);
    }

    @Override
    protected String code(OpenSearchException e) {
        return e.type().isEmpty() && e.status() > 0 ? "HTTP " + e.status() : e.type();
    }

    @Override
    protected String message(OpenSearchException e) {
        return String.valueOf(e.getMessage());
    }
}
