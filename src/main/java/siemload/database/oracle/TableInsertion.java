package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import siemload.database.oracle.StoredEvent.Listed;
import siemload.database.oracle.StoredEvent.Side;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.layout.LayoutTable;
import siemload.event.WholeText;

/** How the rows of events are inserted into one table by array binding. Used by one thread. */
final class TableInsertion implements AutoCloseable {
    private static final Listed NOTHING = new Listed("", "", null, null);

    private final LayoutTable.Rows rows;
    private final OracleField[] fields;
    private final PreparedStatement statement;

    TableInsertion(Connection connection, LayoutTable.Rows rows, SqlStatement insert) throws SQLException {
        this.rows = rows;
        this.fields = insert.values().stream()
                .map(name -> OracleField.valueOf(name.toUpperCase(Locale.ROOT)))
                .toArray(OracleField[]::new);
        this.statement = connection.prepareStatement(insert.sql());
    }

    /** Forgets what an earlier batch that failed half-way may have left. */
    void clear() throws SQLException {
        statement.clearBatch();
    }

    void add(StoredEvent event) throws SQLException {
        switch (rows) {
            case EVENTS -> add(event, NOTHING);
            case ADDRESSES -> addAll(event, event.addresses(1));
            case SEVERAL_ADDRESSES -> addAll(event, event.addresses(2));
            case VALUES -> addAll(event, event.values(1));
            case SEVERAL_VALUES -> addAll(event, event.values(2));
        }
    }

    void execute() throws SQLException {
        statement.executeBatch();
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }

    private void addAll(StoredEvent event, List<Listed> listed) throws SQLException {
        for (int i = 0; i < listed.size(); i++) {
            add(event, listed.get(i));
        }
    }

    private void add(StoredEvent event, Listed listed) throws SQLException {
        for (int i = 0; i < fields.length; i++) {
            bind(i + 1, fields[i], event, listed);
        }
        statement.addBatch();
    }

    private void bind(int place, OracleField field, StoredEvent stored, Listed listed) throws SQLException {
        switch (field) {
            case ID -> statement.setBytes(place, stored.id());
            case ID_TEXT ->
                statement.setString(place, WholeText.of(stored.event().id()));
            case DETECT_TIME ->
                statement.setObject(place, ColumnValues.time(stored.event().detectTime()));
            case DESCRIPTION ->
                statement.setString(place, ColumnValues.isLong(stored.description()) ? null : stored.description());
            case LONG_DESCRIPTION ->
                statement.setString(place, ColumnValues.isLong(stored.description()) ? stored.description() : null);
            case CATEGORY -> statement.setString(place, oneOrMark(stored.categories()));
            case DETECTOR -> statement.setString(place, oneOrMark(stored.detectors()));
            case SOURCE_ADDRESSES, SOURCE_FIRST, SOURCE_LAST, SOURCE_PORT -> bindOfSide(place, field, stored.sources());
            case TARGET_ADDRESSES, TARGET_FIRST, TARGET_LAST, TARGET_PORT -> bindOfSide(place, field, stored.targets());
            case FIRST_PROTOCOL, LAST_PROTOCOL -> statement.setString(place, protocol(field, stored.protocols()));
            case CONNECTIONS -> statement.setLong(place, stored.connections());
            case JSON -> statement.setBytes(place, stored.json());
            case SIDE, FIELD -> statement.setString(place, listed.mark());
            case FIRST -> statement.setBytes(place, listed.first());
            case LAST -> statement.setBytes(place, listed.last());
            case TEXT -> statement.setString(place, listed.text());
        }
    }

    private void bindOfSide(int place, OracleField field, Side side) throws SQLException {
        switch (field) {
            case SOURCE_ADDRESSES, TARGET_ADDRESSES ->
                statement.setInt(place, side.addresses().size());
            case SOURCE_FIRST, TARGET_FIRST -> statement.setBytes(place, side.lowest());
            case SOURCE_LAST, TARGET_LAST -> statement.setBytes(place, side.highest());
            default -> bindPort(place, side.ports());
        }
    }

    private void bindPort(int place, Set<Integer> ports) throws SQLException {
        if (ports.isEmpty()) {
            statement.setNull(place, Types.NUMERIC);
        } else {
            statement.setInt(place, ports.size() == 1 ? ports.iterator().next() : ColumnValues.SEVERAL_PORTS);
        }
    }

    private static @Nullable String oneOrMark(Set<String> texts) {
        if (texts.size() < 2) {
            return texts.isEmpty() ? null : texts.iterator().next();
        }
        return ColumnValues.SEVERAL;
    }

    private static @Nullable String protocol(OracleField field, List<String> protocols) {
        if (protocols.isEmpty() || (field == OracleField.LAST_PROTOCOL && protocols.size() < 2)) {
            return null;
        }
        return ColumnValues.text(protocols.get(field == OracleField.LAST_PROTOCOL ? protocols.size() - 1 : 0));
    }
}
