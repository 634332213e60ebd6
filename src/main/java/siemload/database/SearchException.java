package siemload.database;

/** A search or a batch failed during a run; the run counts it and goes on. */
public final class SearchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The kind of failure; each kind is counted separately. */
    public enum Kind {
        TIMEOUT,
        CANCELLED,
        CONNECTION,
        /** The server refused the request: a right is missing, a limit was reached, or no memory or disk space is left. */
        REFUSED,
        OTHER
    }

    private final Kind kind;
    private final String code;

    /**
     * @param code the SQLSTATE or the vendor's code; empty if there is none
     * @param message the server's message, without searched values
     */
    public SearchException(Kind kind, String code, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.code = code;
    }

    /** Creates an exception without a cause, for searches and batches that siemload itself gave up. */
    public SearchException(Kind kind, String code, String message) {
        super(message);
        this.kind = kind;
        this.code = code;
    }

    public Kind kind() {
        return kind;
    }

    /** The SQLSTATE or the vendor's code; empty if there is none. */
    public String code() {
        return code;
    }
}
