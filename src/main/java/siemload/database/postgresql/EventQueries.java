package siemload.database.postgresql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import siemload.database.ExistingEvents.Span;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.database.layout.ValueLines;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlStatement;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/**
 * What a layout without loading asks of the events before they are searched: when they were, and which values they have. Each query
 * is a transaction of its own.
 */
final class EventQueries implements AutoCloseable {
    private static final String VALUES = ValueLines.BLOCK;
    private static final String TIMES = "times";
    private static final int MOST_COLUMNS = 5;

    private static final String TIME_TYPE = "timestamptz";

    private final RunConnection connection;
    private final Layout layout;
    private final String place;

    /** What is made of a query that can be executed. */
    @FunctionalInterface
    private interface Answer<T> {
        /** Executes it, and reads its rows. */
        T of(PreparedStatement query) throws SQLException;
    }

    /**
     * Over a connection of its own, which is closed with this.
     *
     * @param place where the events are, for messages
     */
    EventQueries(RunConnection connection, Layout layout, String place) {
        this.connection = connection;
        this.layout = layout;
        this.place = place;
    }

    private <T> T ask(String query, Answer<T> answer) {
        return connection.transaction(true, open -> answer.of(connection.statement(query)));
    }

    /**
     * When the events were, and how many there are.
     *
     * @throws TargetException if there are none, the times are none, or the query fails
     */
    Span span() {
        try {
            return asked();
        } catch (SearchException wrong) {
            throw failed(TIMES, "", wrong, "an estimate of oldest, newest and count will do");
        }
    }

    private Span asked() {
        return ask(layout.read(TIMES).sql(), query -> {
            try (ResultSet row = query.executeQuery()) {
                requireTimes(row.getMetaData());
                if (!row.next() || row.getObject(1) == null || row.getObject(2) == null) {
                    throw new TargetException(TIMES + " finds no event: there is nothing to search");
                }
                boolean counted = row.getMetaData().getColumnCount() == MOST_COLUMNS;
                return new Span(
                        finite(row, 1),
                        finite(row, 2),
                        row.getLong(3),
                        counted ? row.getLong(4) : 0,
                        counted ? row.getLong(5) : 0);
            }
        });
    }

    private Instant finite(ResultSet row, int column) throws SQLException {
        Instant time = row.getObject(column, OffsetDateTime.class).toInstant();
        if (time.equals(OffsetDateTime.MIN.toInstant()) || time.equals(OffsetDateTime.MAX.toInstant())) {
            throw new TargetException(TIMES + " gives an infinite time, at which no window could end (leave such rows"
                    + " out, for instance by max(:time) FILTER (WHERE isfinite(:time)))");
        }
        return time;
    }

    private void requireTimes(ResultSetMetaData columns) throws SQLException {
        int number = columns.getColumnCount();
        if (number != 3 && number != MOST_COLUMNS) {
            throw new TargetException(TIMES + " gives " + number
                    + " columns (needed: the oldest time, the newest one, and how many events there are; and, if you like,"
                    + " how many have an infinite time, and how many none)");
        }
        for (int column = 1; column <= 2; column++) {
            String type = columns.getColumnTypeName(column);
            if (!type.equals(TIME_TYPE)) {
                throw new TargetException(TIMES + " gives a time as " + type + " (needed: " + TIME_TYPE
                        + ", which the block time makes of a timestamp by AT TIME ZONE 'UTC')");
            }
        }
    }

    /**
     * The values of each kind that the layout has a query for.
     *
     * @param most how many rows of each are taken at most
     * @throws TargetException if there are none, or what cannot be looked for, or a query fails
     */
    Map<ValueField, List<CountedValue>> values(int most) {
        Map<ValueField, List<CountedValue>> values = new EnumMap<>(ValueField.class);
        for (SqlStatement.Step query : layout.steps(VALUES, Map.of())) {
            ValueField field = ValueLines.field(query.name());
            try {
                values.put(field, values(query, field, most));
            } catch (SearchException wrong) {
                throw failed(VALUES, ", query " + field.label(), wrong, "a sample of the rows will do");
            }
        }
        return values;
    }

    private List<CountedValue> values(SqlStatement.Step asked, ValueField field, int most) {
        return ask(asked.sql(), query -> {
            query.setMaxRows(most);
            try (ResultSet rows = query.executeQuery()) {
                return values(field, rows);
            }
        });
    }

    private TargetException failed(String file, String query, SearchException wrong, String instead) {
        String remedy = wrong.kind() == SearchException.Kind.TIMEOUT
                ? " (it was given up after -Dtimeout: give it longer, or ask for less; " + instead + ")"
                : "";
        return new TargetException(file + " failed in " + place + query + ": " + wrong.getMessage() + remedy, wrong);
    }

    private static List<CountedValue> values(ValueField field, ResultSet rows) throws SQLException {
        ValueLines lines = new ValueLines(field);
        ResultSetMetaData columns = rows.getMetaData();
        if (columns.getColumnCount() < 2) {
            throw lines.wrong("gives one column (needed: the value, and how many events have it)");
        }
        while (rows.next()) {
            String value = rows.getString(1);
            if (value == null) {
                throw lines.wrong("gives NULL (leave it out by WHERE)");
            }
            Map<String, Optional<String>> beside = new HashMap<>();
            for (int column = 3; column <= columns.getColumnCount(); column++) {
                beside.put(
                        columns.getColumnLabel(column).toLowerCase(Locale.ROOT),
                        Optional.ofNullable(rows.getString(column)));
            }
            lines.add(value, rows.getLong(2), beside);
        }
        return lines.all();
    }

    @Override
    public void close() {
        connection.close();
    }
}
