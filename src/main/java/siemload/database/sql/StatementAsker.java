package siemload.database.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.database.SearchSession.AskingSession;
import siemload.database.TargetException;
import siemload.query.Statement;

/** A session that asks statements of users, and answers what is to be known of them before. */
public interface StatementAsker extends AskingSession {

    /** Why a statement cannot be asked; empty if it can. Nothing is executed. See {@link siemload.database.StatementStore#refusal}. */
    Optional<String> refusal(Statement statement);

    /** The values that a query gives. See {@link siemload.database.StatementStore#values}. */
    List<String> values(String query, int most);

    /** Executes a query for values. @throws TargetException if it gives anything but one column without NULL */
    static List<String> onlyColumn(PreparedStatement question, String query, int most) throws SQLException {
        question.setMaxRows(most);
        List<String> values = new ArrayList<>();
        try (ResultSet rows = question.executeQuery()) {
            int columns = rows.getMetaData().getColumnCount();
            if (columns != 1) {
                throw new TargetException("a query for values gives " + columns + " columns (needed: one): " + query);
            }
            while (rows.next()) {
                String value = rows.getString(1);
                if (value == null) {
                    throw new TargetException("a query for values gives NULL in row " + (values.size() + 1)
                            + " (leave it out by WHERE ... IS NOT NULL): " + query);
                }
                values.add(value);
            }
        }
        return values;
    }
}
