package siemload.database.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Reads the answers to a test's queries. Stateless. */
public final class FirstColumn {
    private FirstColumn() {}

    /** The texts of the first column, in the order of the rows. */
    public static List<String> of(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return of(statement.executeQuery(sql));
        }
    }

    /** The texts of the first column. The rows are closed. */
    public static List<String> of(ResultSet rows) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (rows) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }
}
