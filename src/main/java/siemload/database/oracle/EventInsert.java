package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import siemload.database.layout.LayoutTable;
import siemload.database.sql.SqlStatement;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.IdeaWriter;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.event.WholeText;

/**
 * Inserts events into the tables by array binding: the one mapping, for loading and for feeding alike. Used by one
 * thread; the caller commits.
 */
final class EventInsert implements AutoCloseable {
    private final List<TableInsertion> tables = new ArrayList<>();
    private final IdeaWriter writer = new IdeaWriter();

    EventInsert(Connection connection, TableGroup tables) throws SQLException {
        for (LayoutTable<OracleField> table : tables.layout().tables()) {
            this.tables.add(new TableInsertion(connection, table.rows(), tables.insert(table)));
        }
    }

    /** Answers the size of the events as IDEA JSON, in bytes. */
    long insert(Collection<SecurityEvent> batch) throws SQLException {
        for (TableInsertion table : tables) {
            table.clear();
        }
        long bytes = 0;
        for (SecurityEvent event : batch) {
            StoredEvent stored = StoredEvent.of(event, writer.toBytes(event));
            bytes += stored.json().length;
            for (int i = 0; i < tables.size(); i++) {
                tables.get(i).add(stored);
            }
        }
        for (TableInsertion table : tables) {
            table.execute();
        }
        return bytes;
    }

    @Override
    public void close() throws SQLException {
        for (TableInsertion table : tables) {
            table.close();
        }
    }

    /** How the rows of events are inserted into one table by array binding. Used by one thread. */
    private static final class TableInsertion implements AutoCloseable {
        private static final StoredEvent.Listed NOTHING = new StoredEvent.Listed("", "", null, null);

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

        private void addAll(StoredEvent event, List<StoredEvent.Listed> listed) throws SQLException {
            for (int i = 0; i < listed.size(); i++) {
                add(event, listed.get(i));
            }
        }

        private void add(StoredEvent event, StoredEvent.Listed listed) throws SQLException {
            for (int i = 0; i < fields.length; i++) {
                bind(i + 1, fields[i], event, listed);
            }
            statement.addBatch();
        }

        private void bind(int place, OracleField field, StoredEvent stored, StoredEvent.Listed listed)
                throws SQLException {
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
                case SOURCE_ADDRESSES, SOURCE_FIRST, SOURCE_LAST, SOURCE_PORT ->
                    bindOfSide(place, field, stored.sources());
                case TARGET_ADDRESSES, TARGET_FIRST, TARGET_LAST, TARGET_PORT ->
                    bindOfSide(place, field, stored.targets());
                case FIRST_PROTOCOL, LAST_PROTOCOL -> statement.setString(place, protocol(field, stored.protocols()));
                case CONNECTIONS -> statement.setLong(place, stored.connections());
                case JSON -> statement.setBytes(place, stored.json());
                case SIDE, FIELD -> statement.setString(place, listed.mark());
                case FIRST -> statement.setBytes(place, listed.first());
                case LAST -> statement.setBytes(place, listed.last());
                case TEXT -> statement.setString(place, listed.text());
            }
        }

        private void bindOfSide(int place, OracleField field, StoredEvent.Side side) throws SQLException {
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

    /**
     * An event as tables have it. Immutable.
     *
     * @param categories each once, in the form of a column
     * @param detectors each once, in the form of a column
     */
    @SuppressWarnings("ArrayRecordComponent")
    private // Never compared.
    record StoredEvent(
            SecurityEvent event,
            byte[] id,
            byte[] json,
            String description,
            Set<String> categories,
            Set<String> detectors,
            Side sources,
            Side targets) {

        static StoredEvent of(SecurityEvent event, byte[] json) {
            return new StoredEvent(
                    event,
                    ColumnValues.id(event.id()),
                    json,
                    ColumnValues.description(event.description()),
                    texts(event.categories().stream()),
                    texts(event.nodes().stream().map(Node::name)),
                    Side.of(event.sources()),
                    Side.of(event.targets()));
        }

        private static Set<String> texts(Stream<String> texts) {
            Set<String> distinct = new LinkedHashSet<>();
            texts.forEach(text -> distinct.add(ColumnValues.text(text)));
            return distinct;
        }

        /**
         * What has a row of its own beside the event's: an address or a value.
         *
         * @param mark the side or the field
         * @param text of a value; of an address, empty
         * @param first of an address; of a value, null
         */
        record Listed(String mark, String text, byte @Nullable [] first, byte @Nullable [] last) {}

        /** One side of an event: each address and each port once, and what covers all addresses. */
        record Side(
                Collection<AddressRange> addresses,
                byte @Nullable [] lowest,
                byte @Nullable [] highest,
                Set<Integer> ports) {

            static Side of(List<Endpoint> ends) {
                Set<AddressRange> addresses = new LinkedHashSet<>();
                Set<Integer> ports = new LinkedHashSet<>();
                for (Endpoint end : ends) {
                    addresses.addAll(end.addresses());
                    ports.addAll(end.ports());
                }
                byte @Nullable [] lowest = null;
                byte @Nullable [] highest = null;
                for (AddressRange range : addresses) {
                    byte[] first = ColumnValues.first(range);
                    byte[] last = ColumnValues.last(range);
                    lowest = lowest == null || Arrays.compareUnsigned(first, lowest) < 0 ? first : lowest;
                    highest = highest == null || Arrays.compareUnsigned(last, highest) > 0 ? last : highest;
                }
                return new Side(addresses, lowest, highest, ports);
            }

            private List<Listed> listed(String mark) {
                return addresses.stream()
                        .map(range -> new Listed(mark, "", ColumnValues.first(range), ColumnValues.last(range)))
                        .toList();
            }
        }

        /** The addresses of those sides that have at least so many. */
        List<Listed> addresses(int atLeast) {
            List<Listed> listed = new ArrayList<>();
            if (sources.addresses.size() >= atLeast) {
                listed.addAll(sources.listed("S"));
            }
            if (targets.addresses.size() >= atLeast) {
                listed.addAll(targets.listed("T"));
            }
            return listed;
        }

        /** The values of those fields that have at least so many. */
        List<Listed> values(int atLeast) {
            List<Listed> listed = new ArrayList<>();
            list("C", categories, atLeast, listed);
            list("D", detectors, atLeast, listed);
            list("S", sources.ports, atLeast, listed);
            list("T", targets.ports, atLeast, listed);
            return listed;
        }

        private static void list(String field, Set<?> values, int atLeast, List<Listed> listed) {
            if (values.size() >= atLeast) {
                values.forEach(value -> listed.add(new Listed(field, value.toString(), null, null)));
            }
        }

        /** The protocols of all sources, then those of all targets. */
        List<String> protocols() {
            return event.endpoints().flatMap(end -> end.protocols().stream()).toList();
        }

        long connections() {
            var count = event.other().get("ConnCount");
            return count != null && count.canConvertToLong() ? count.longValue() : 1;
        }
    }
}
