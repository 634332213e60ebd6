package siemload.database.postgresql;

import java.io.IOException;
import java.net.ConnectException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import siemload.config.directory.Reason;
import siemload.database.ServerAddress;
import siemload.database.sql.SqlErrors;

/** What the server's errors mean, by their SQLSTATEs. */
public final class PostgresqlErrors extends SqlErrors {
    public static final PostgresqlErrors INSTANCE = new PostgresqlErrors();

    public static final String QUERY_CANCELED = "57014";
    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"");
    private static final String TABLE = """
            08004  CONNECTION  login.
            28  REFUSED  login.
            08  CONNECTION  Check host and port in the url, and that the server runs and accepts TCP connections.
            57P  CONNECTION
            57014  CANCELLED  It took longer than it may: -DmaintenanceTimeout says how long loading and the like may take, -Dtimeout how long a query of yours.
            42501  REFUSED  The user may not do that: let an administrator grant the right, or connect as the owner.
            53100  REFUSED  The disk is full: free some space, or take a smaller data set.
            53200  REFUSED  The server ran out of memory: lower its memory settings or give it more.
            53300  REFUSED  The server has no free connection: raise its max_connections, or lower the number of workers (-Dworkers).
            53|54  REFUSED
            42P04|42P07|23505  OTHER/NAME_TAKEN
            42P01  OTHER/NO_TABLE
            55006  OTHER/IN_USE  Somebody is using it: wait until they have ended.
            55P03  OTHER/IN_USE  Somebody else holds a lock on it: wait until they have ended.
            0A000|58P01  OTHER  Where an extension is missing, let an administrator install PostgreSQL's contrib modules, or take other indexes than 'compound' (none, time, fields, native).
            3D000  OTHER  Name a database that exists, for instance jdbc:postgresql://host:port/postgres.
            58030  OTHER  The server could not write a file: look at its log, its disk and its limits.""";

    private PostgresqlErrors() {
        super(TABLE.replace("login", ServerAddress.LOGIN_ADVICE));
    }

    /** The SQLSTATE of the error or of the first of its followers that has one; a failed batch has it there. */
    @Override
    protected String code(SQLException e) {
        for (SQLException error = e; error != null; error = error.getNextException()) {
            String state = error.getSQLState();
            if (state != null && !state.isEmpty()) {
                return state;
            }
        }
        return "";
    }

    /** The server's first line alone: its details quote rows, as the driver's words about a failed batch do. */
    @Override
    protected String words(SQLException e) {
        SQLException error =
                e instanceof BatchUpdateException && e.getNextException() != null ? e.getNextException() : e;
        ServerErrorMessage server = error instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
        String message = server == null ? error.getMessage() : server.getMessage();
        return message == null ? "no message" : message;
    }

    /** Errors about data (class 22) quote the value between double quotes. */
    @Override
    protected String message(SQLException e) {
        return code(e).startsWith("22") ? QUOTED.matcher(words(e)).replaceAll("\"...\"") : words(e);
    }

    /** With the code, and what the driver leaves out of its words about a connection unless the server refused it, which it tells itself. */
    @Override
    protected String wholeMessage(SQLException e) {
        boolean told = e.getCause() == null || e.getCause() instanceof ConnectException;
        String network = told || !(e.getCause() instanceof IOException lost) ? "" : " (" + Reason.of(lost) + ")";
        return words(e) + network + (code(e).isEmpty() ? "" : " (SQLSTATE " + code(e) + ")");
    }
}
