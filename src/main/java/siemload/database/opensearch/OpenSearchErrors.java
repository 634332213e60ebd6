package siemload.database.opensearch;

import static java.util.Map.entry;

import java.util.Map;
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

    private static final Meaning UNREACHABLE =
            new Meaning(Kind.CONNECTION, "Check scheme, host and port in the url, and that the server runs.");
    /** By the server's names. */
    private static final Map<String, Meaning> TYPES = Map.ofEntries(
            entry(CANCELLED_CODE, new Meaning(Kind.CANCELLED, "")),
            entry(
                    "version_conflict_engine_exception",
                    new Meaning(Kind.OTHER, "An event id occurs twice in the data set.")));
    /** By the status of HTTP, which is 0 where no answer came. */
    private static final Map<Integer, Meaning> STATUSES = Map.ofEntries(
            entry(0, UNREACHABLE),
            entry(401, refused(ServerAddress.LOGIN_ADVICE + ".")),
            entry(
                    FORBIDDEN,
                    refused("The user needs the cluster permissions cluster_composite_ops and cluster_monitor, and"
                            + " indices_all on siemload_*, or read on indexes that are there already; a full disk makes indexes"
                            + " read-only, too.")),
            entry(
                    429,
                    refused(
                            "The server has no memory or no free thread for it, or a full disk: give it more, or load it"
                                    + " less.")),
            entry(502, UNREACHABLE),
            entry(503, new Meaning(Kind.CONNECTION, "")),
            entry(504, UNREACHABLE));

    /** All of them. */
    static final OpenSearchErrors ERRORS = new OpenSearchErrors();

    private OpenSearchErrors() {
        super(OpenSearchException.class);
    }

    private static Meaning refused(String advice) {
        return new Meaning(Kind.REFUSED, advice);
    }

    @Override
    protected Meaning meaning(OpenSearchException e) {
        return TYPES.getOrDefault(e.type(), STATUSES.getOrDefault(e.status(), Meaning.UNKNOWN));
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
