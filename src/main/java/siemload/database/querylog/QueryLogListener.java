package siemload.database.querylog;

/** Hears what is in a log of queries, in its order. Called by one thread. */
public interface QueryLogListener {
    /** Somebody who does not listen, to what is looked at beforehand. */
    QueryLogListener DEAF = new QueryLogListener() {
        @Override
        public void executed(LoggedStatement statement) {}

        @Override
        public void leftOut(String reason, String text) {}

        @Override
        public void ended(String session) {}

        @Override
        public void unreadable(long line, String reason) {}
    };

    /** A statement that only reads was executed, or one that writes where it {@link #wantsWrites wants} to hear of those. */
    void executed(LoggedStatement statement);

    /** Whether statements that write are to be asked again; does not change. */
    default boolean wantsWrites() {
        return false;
    }

    /** The log has the plan of a statement, before or behind its execution; whoever only asks statements again has no use for it. */
    default void planned(LoggedPlan plan) {}

    /**
     * Something was executed that is not asked again.
     *
     * @param reason one of few, as a group of words that can be counted: {@code begins or ends a transaction}
     * @param text of it, as it was logged
     */
    void leftOut(String reason, String text);

    /** A session has ended. */
    void ended(String session);

    /**
     * A record cannot be read, and what is behind it was read on.
     *
     * @param line where it begins, from 1
     */
    void unreadable(long line, String reason);
}
