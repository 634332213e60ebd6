package siemload.database.sql;

import java.sql.SQLException;
import siemload.database.SearchException.Kind;
import siemload.database.server.ServerErrors;

/** What the errors of one database and its driver mean: a table of their codes. Immutable and thread-safe. */
public abstract class SqlErrors extends ServerErrors<SQLException> {
    /** What siemload goes on after. */
    public enum Fault {
        /** A key is there already. */
        DUPLICATE,
        NO_TABLE,
        /** Neither an index nor a key of this name. */
        NO_INDEX,
        /** There is another table or database of this name. */
        NAME_TAKEN,
        /** Somebody else holds what was to be dropped. */
        IN_USE
    }

    /** @param table as of {@link ServerErrors}, with a {@link Fault} behind a slash where it is one */
    protected SqlErrors(String table) {
        super(SQLException.class, table);
    }

    /** Whether an error is this one; a violated constraint, class 23 of SQLSTATE, is one of a key wherever siemload writes. */
    public final boolean is(Fault fault, SQLException e) {
        return meaning(e).fault().equals(fault.name())
                || (fault == Fault.DUPLICATE && String.valueOf(e.getSQLState()).startsWith("23"));
    }

    /** Whether the connection is of no use after this error. */
    public final boolean isLost(SQLException e) {
        return meaning(e).kind() == Kind.CONNECTION;
    }

    /** The words of the server or the driver. Its first line alone: the next ones quote rows, or lead to a manual. */
    @Override
    protected String message(SQLException e) {
        String message = e.getMessage();
        return message == null ? "no message" : message.lines().findFirst().orElse("no message");
    }

    /** The code stands in the words. */
    @Override
    protected String wholeMessage(SQLException e) {
        return message(e);
    }

    @FunctionalInterface
    public interface Change {
        void make() throws SQLException;
    }

    /** Does something, unless this is the trouble. @return whether it was done */
    public final boolean isMade(Change change, Fault unless) throws SQLException {
        return unless(
                e -> is(unless, e),
                () -> {
                    change.make();
                    return true;
                },
                expected -> false);
    }
}
