package siemload.database.opensearch;

/** The server did not do what it was asked for, or could not be asked. */
final class OpenSearchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Of an answer whose status is well but that is not the whole one. */
    private static final int OK = 200;

    private final int status;
    private final String type;

    /**
     * @param status of HTTP; 0 where no answer came
     * @param type the server's name for the error; empty where it has none
     * @param message the server's words
     */
    OpenSearchException(int status, String type, String message) {
        super(message);
        this.status = status;
        this.type = type;
    }

    /** No answer came. */
    OpenSearchException(String message, Throwable cause) {
        super(message, cause);
        this.status = 0;
        this.type = "";
    }

    /** An answer came that is not the whole one. */
    static OpenSearchException incomplete(String message) {
        return new OpenSearchException(OK, "incomplete", message);
    }

    /** Of HTTP; 0 where no answer came. */
    int status() {
        return status;
    }

    /** The server's name for the error, such as {@code index_not_found_exception}; may be empty. */
    String type() {
        return type;
    }
}
