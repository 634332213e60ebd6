package siemload.database;

/** A transaction of {@link OwnTransactions} failed. */
public final class TransactionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What is left of the transaction. */
    public enum Kind {
        /**
         * Nothing: the server rolled it back for the sake of others (deadlock, serialization, a statement that waited for a row
         * until its timeout). It may be tried again.
         */
        CONFLICT,
        /** Nothing: there was no connection, or it was lost before the commit was sent. */
        LOST,
        /** Nobody knows: the commit was sent, and no answer came. */
        UNKNOWN,
        /** Nothing: the server refused it. */
        REFUSED
    }

    private final Kind kind;

    /** @param message the server's words, with its code where there is one */
    public TransactionException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
