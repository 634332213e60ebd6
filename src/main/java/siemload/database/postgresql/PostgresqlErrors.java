package siemload.database.postgresql;

import java.io.IOException;
import java.net.ConnectException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.Objects;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import siemload.config.directory.Reason;
import siemload.database.sql.SqlErrors;

/** What the server's errors mean, by their SQLSTATEs. */
final class PostgresqlErrors extends SqlErrors {
    static final PostgresqlErrors INSTANCE = new PostgresqlErrors();

    static final String QUERY_CANCELED = "57014";
    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"");

    private PostgresqlErrors() {
        super(PostgresqlConnections.SQL.blocks().text("errors"));
    }

    /** That of the server behind what the driver says of a failed batch, which quotes rows. */
    private static SQLException told(SQLException e) {
        return e instanceof BatchUpdateException && e.getNextException() != null ? e.getNextException() : e;
    }

    @Override
    protected String code(SQLException e) {
        return Objects.requireNonNullElse(told(e).getSQLState(), "");
    }

    /** The server's first line alone: its details quote rows. */
    private static String words(SQLException e) {
        ServerErrorMessage server = told(e) instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
        return Objects.requireNonNullElse(server == null ? told(e).getMessage() : server.getMessage(), "no message");
    }

    /** Errors about data (class 22) quote the value between double quotes. */
    @Override
    protected String message(SQLException e) {
        return code(e).startsWith("22") ? QUOTED.matcher(words(e)).replaceAll("\"...\"") : words(e);
    }

    /** With the code, and what the driver leaves out of its words about a connection unless the server refused it, which it tells itself. */
    @Override
    protected String wholeMessage(SQLException e) {
        String network = e.getCause() instanceof IOException lost && !(lost instanceof ConnectException)
                ? " (" + Reason.of(lost) + ")"
                : "";
        return words(e) + network + (code(e).isEmpty() ? "" : " (SQLSTATE " + code(e) + ")");
    }
}
