package siemload.database;

import java.util.List;
import java.util.function.Consumer;

/**
 * Transactions of statements that a scenario brings, in the store of one run. What they make goes with the store. Thread-safe; the
 * sessions it opens are not.
 */
public interface OwnTransactions {

    /**
     * Makes tables and their rows. To be called once.
     *
     * @param statements without parameters
     * @param begun hears each of them before it is executed
     * @throws TargetException if the server refuses
     */
    void setUp(List<String> statements, Consumer<String> begun);

    /** The number that a query without parameters gives. @throws TargetException if it cannot be asked */
    long number(String query);

    /** Opens a session with a connection of its own. @throws TargetException if the server refuses */
    Session openSession();

    /**
     * A statement with its values.
     *
     * @param sql has {@code ?} where a value stands
     * @param values in the order of their places; the database settles their types
     */
    record Bound(String sql, List<String> values) {
        public Bound {
            values = List.copyOf(values);
        }
    }

    /** One user's connection, opened again at the next call after it was lost. Every call blocks. Used by one thread. */
    interface Session extends AutoCloseable {

        /**
         * Executes all of them in one transaction. Returns when the server has acknowledged the commit.
         *
         * @return the first number of the last answer; 0 where there is none
         * @throws TransactionException if it failed; its kind says what is left of it
         */
        long transact(List<Bound> statements);

        @Override
        void close();
    }

    final class TransactionException extends RuntimeException {
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
}
