package siemload.database.postgresql.search;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import siemload.database.ExistingEvents.Span;
import siemload.database.TargetException;
import siemload.database.postgresql.layout.Layout;
import siemload.database.sql.RunConnection;
import siemload.database.sql.SqlAccess.Work;
import siemload.database.sql.SqlFiles;
import siemload.query.CountedValue;
import siemload.query.ValueField;
import siemload.query.ValueField.Beside;

/**
 * What a layout without loading asks of the events before they are searched: when they were, and which values they have. Each query
 * is a transaction of its own that begins as the connection says: as READ ONLY.
 */
public final class EventQueries implements AutoCloseable {
    private static final String VALUES = "values";
    private static final String TIMES = "times";
    private static final String TIME_TYPE = "timestamptz";

    private final RunConnection connection;
    private final StoppableWork stoppable;
    private final Layout layout;

    /** @param watchers carry out what stops a query */
    public EventQueries(RunConnection connection, ScheduledExecutorService watchers, Layout layout) {
        this.connection = connection;
        this.stoppable = new StoppableWork(connection, watchers);
        this.layout = layout;
    }

    /**
     * When the events were, and how many there are.
     *
     * @throws TargetException if there are none, or the times are none
     * @throws siemload.database.SearchException if the query fails
     */
    public Span span() {
        return reading(open -> {
            try (PreparedStatement statement =
                            open.prepareStatement(layout.read(TIMES).sql());
                    ResultSet row = statement.executeQuery()) {
                requireTimes(row.getMetaData());
                if (!row.next() || row.getObject(1) == null || row.getObject(2) == null) {
                    throw new TargetException(TIMES + ".sql finds no event: there is nothing to search");
                }
                return new Span(
                        row.getObject(1, OffsetDateTime.class).toInstant(),
                        row.getObject(2, OffsetDateTime.class).toInstant(),
                        row.getLong(3));
            }
        });
    }

    private static void requireTimes(ResultSetMetaData columns) throws SQLException {
        if (columns.getColumnCount() != 3) {
            throw new TargetException(TIMES + ".sql gives " + columns.getColumnCount()
                    + " columns (needed: the oldest time, the newest one, and how many events there are)");
        }
        for (int column = 1; column <= 2; column++) {
            String type = columns.getColumnTypeName(column);
            if (!type.equals(TIME_TYPE)) {
                throw new TargetException(TIMES + ".sql gives a time as " + type + " (needed: " + TIME_TYPE
                        + ", which time.sql makes of a timestamp by AT TIME ZONE 'UTC')");
            }
        }
    }

    /** The kinds of values that the layout has a query for, in its order. */
    public List<ValueField> fields() {
        return layout.steps(VALUES).stream().map(EventQueries::field).toList();
    }

    private static ValueField field(SqlFiles.Step query) {
        return Arrays.stream(ValueField.values())
                .filter(field -> field.label().equals(query.name()))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The values of a kind, as its query has them.
     *
     * @param field one of {@link #fields}
     * @param most how many rows are taken at most
     * @throws TargetException if there are none, or what cannot be looked for
     * @throws siemload.database.SearchException if the query fails
     */
    public List<CountedValue> values(ValueField field, int most) {
        String sql = layout.steps(VALUES).stream()
                .filter(query -> field(query) == field)
                .findFirst()
                .orElseThrow()
                .sql();
        return reading(open -> {
            try (PreparedStatement statement = open.prepareStatement(sql)) {
                statement.setMaxRows(most);
                try (ResultSet rows = statement.executeQuery()) {
                    return values(field, rows);
                }
            }
        });
    }

    private List<CountedValue> values(ValueField field, ResultSet rows) throws SQLException {
        Map<Beside, Integer> columns = besides(field, rows.getMetaData());
        List<CountedValue> values = new ArrayList<>();
        while (rows.next()) {
            String value = rows.getString(1);
            if (value == null) {
                throw wrong(field, "gives NULL in row " + (values.size() + 1) + " (leave it out by WHERE)");
            }
            field.refusal(value).ifPresent(why -> {
                throw wrong(field, why);
            });
            Map<Beside, String> beside = new EnumMap<>(Beside.class);
            for (Map.Entry<Beside, Integer> column : columns.entrySet()) {
                String text = rows.getString(column.getValue());
                if (text != null) {
                    column.getKey().refusal(text).ifPresent(why -> {
                        throw wrong(field, why);
                    });
                    beside.put(column.getKey(), text);
                }
            }
            values.add(new CountedValue(value, rows.getLong(2), beside));
        }
        if (values.isEmpty()) {
            throw wrong(field, "gives no row (leave it out, and what looks for it)");
        }
        return values;
    }

    private static Map<Beside, Integer> besides(ValueField field, ResultSetMetaData columns) throws SQLException {
        if (columns.getColumnCount() < 2) {
            throw wrong(field, "gives one column (needed: the value, and how many events have it)");
        }
        Map<Beside, Integer> besides = new EnumMap<>(Beside.class);
        for (int column = 3; column <= columns.getColumnCount(); column++) {
            String name = columns.getColumnLabel(column).toLowerCase(Locale.ROOT);
            Beside beside = field.beside().stream()
                    .filter(one -> one.label().equals(name))
                    .findFirst()
                    .orElseThrow(() -> wrong(
                            field,
                            "gives a column '" + name + "' (allowed behind value and count: "
                                    + (field.beside().isEmpty()
                                            ? "none"
                                            : String.join(
                                                    ", ",
                                                    field.beside().stream()
                                                            .map(Beside::label)
                                                            .toList()))
                                    + ")"));
            besides.put(beside, column);
        }
        return besides;
    }

    private static TargetException wrong(ValueField field, String what) {
        return new TargetException(VALUES + ".sql, query " + field.label() + ": " + what);
    }

    private <T> T reading(Work<T> work) {
        return stoppable.transaction(true, work);
    }

    @Override
    public void close() {
        connection.close();
    }
}
