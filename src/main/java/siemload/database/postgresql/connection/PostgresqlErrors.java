package siemload.database.postgresql.connection;

import java.io.IOException;
import java.net.ConnectException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import siemload.config.directory.Reason;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.sql.SqlErrors;

/** What the server's errors mean for a run. */
public final class PostgresqlErrors implements SqlErrors {
    public static final PostgresqlErrors INSTANCE = new PostgresqlErrors();

    public static final String DUPLICATE_DATABASE = "42P04";
    public static final String DUPLICATE_TABLE = "42P07";

    public static final String QUERY_CANCELED = "57014";
    private static final String OBJECT_IN_USE = "55006";
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"");
    private static final String LOGIN_ADVICE = ServerAddress.LOGIN_ADVICE + ".";
    private static final String UNREACHABLE_ADVICE =
            "Check host and port in the url, and that the server runs and accepts TCP connections.";

    private PostgresqlErrors() {}

    @Override
    public boolean isLost(SQLException e) {
        return kindOf(state(e)) == Kind.CONNECTION;
    }

    /** Whether somebody else is using what was to be dropped. */
    public static boolean isInUse(SQLException e) {
        return state(e).equals(OBJECT_IN_USE) || state(e).equals(LOCK_NOT_AVAILABLE);
    }

    @Override
    public SearchException inRun(SQLException e, Duration elapsed, Duration timeout) {
        String state = state(e);
        Kind kind = kindOf(state);
        if (state.equals(QUERY_CANCELED)) {
            kind = elapsed.compareTo(timeout) >= 0 ? Kind.TIMEOUT : Kind.CANCELLED;
        }
        return new SearchException(kind, state, withoutValues(message(e), state), e);
    }

    @Override
    public TargetException outsideRun(String tried, SQLException e) {
        String state = state(e);
        String code = state.isEmpty() ? "" : " (SQLSTATE " + state + ")";
        String advice = advice(state);
        return new TargetException(
                tried + ": " + message(e) + network(e) + code + (advice.isEmpty() ? "" : ". " + advice), e);
    }

    /** What the driver leaves out of its words about a connection, unless the server refused it, which it tells itself. */
    private static String network(SQLException e) {
        boolean told = e.getCause() == null || e.getCause() instanceof ConnectException;
        return told || !(e.getCause() instanceof IOException lost) ? "" : " (" + Reason.of(lost) + ")";
    }

    /** Whether a login was refused for its user or password. */
    public static boolean isWrongPassword(SQLException e) {
        return state(e).startsWith("28");
    }

    /** For an extension that an index set needs, named {@code extension btree_gin}. */
    public static TargetException missingExtension(String extension, SQLException e) {
        String said = message(e) + " (SQLSTATE " + state(e) + ")";
        return new TargetException(
                "the indexes 'compound' need the " + extension + " of PostgreSQL's contrib modules: " + said
                        + ". Let an administrator install them and allow the user to create trusted extensions in its"
                        + " databases, or take other indexes (none, time, fields, native)",
                e);
    }

    private static String advice(String state) {
        return switch (state) {
            case "08004" -> LOGIN_ADVICE;
            case "53100" -> "The disk is full: free some space, or take a smaller data set.";
            case "53200" -> "The server ran out of memory: lower its memory settings or give it more.";
            case "53300" ->
                "The server has no free connection: raise its max_connections, or lower the number of workers (-Dworkers).";
            case "42501" -> "The user may not do that: let an administrator grant the right, or connect as the owner.";
            case OBJECT_IN_USE -> "Somebody is using it: wait until they have ended.";
            case LOCK_NOT_AVAILABLE -> "Somebody else holds a lock on it: wait until they have ended.";
            case QUERY_CANCELED ->
                "It took longer than it may: -DmaintenanceTimeout says how long loading and the like may take.";
            case "3D000" -> "Name a database that exists, for instance jdbc:postgresql://host:port/postgres.";
            case "58030" -> "The server could not write a file: look at its log, its disk and its limits.";
            default -> state.startsWith("28") ? LOGIN_ADVICE : state.startsWith("08") ? UNREACHABLE_ADVICE : "";
        };
    }

    private static Kind kindOf(String state) {
        if (state.startsWith("08") || state.startsWith("57P")) {
            return Kind.CONNECTION;
        }
        boolean refused =
                state.startsWith("53") || state.startsWith("54") || state.startsWith("28") || state.equals("42501");
        return refused ? Kind.REFUSED : Kind.OTHER;
    }

    /** The server's first line alone: its details quote rows, as the driver's words about a failed batch do. */
    private static String message(SQLException e) {
        SQLException error =
                e instanceof BatchUpdateException && e.getNextException() != null ? e.getNextException() : e;
        ServerErrorMessage server = error instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
        String message = server == null ? error.getMessage() : server.getMessage();
        return message == null ? "no message" : message;
    }

    /** Errors about data (class 22) quote the value between double quotes. */
    private static String withoutValues(String message, String state) {
        return state.startsWith("22") ? QUOTED.matcher(message).replaceAll("\"...\"") : message;
    }

    /** The SQLSTATE of the error or of the first of its followers that has one; a failed batch has it there. */
    private static String state(SQLException e) {
        for (SQLException error = e; error != null; error = error.getNextException()) {
            String state = error.getSQLState();
            if (state != null && !state.isEmpty()) {
                return state;
            }
        }
        return "";
    }
}
