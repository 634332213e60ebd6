package siemload.database.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import siemload.database.layout.EventText;
import siemload.database.sql.TableGroup.ColumnValues;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.IdeaWriter;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.event.WholeText;

/** Adds events to the tables of a group: the one mapping, for loading and for feeding alike. Used by one thread; the caller commits. */
public final class EventRows implements AutoCloseable {
    private final Rows events;
    private final Rows addresses;
    private final Rows values;
    private final List<Rows> tables;
    private final IdeaWriter writer = new IdeaWriter();

    EventRows(Connection connection, TableGroup tables) throws SQLException {
        events = tables.dialect().rows(connection, tables, TableGroup.EVENT);
        addresses = tables.dialect().rows(connection, tables, "addr");
        values = tables.dialect().rows(connection, tables, "list");
        this.tables = List.of(events, addresses, values);
    }

    /** Answers the size of the events as IDEA JSON, in bytes. */
    long insert(Collection<SecurityEvent> batch) throws SQLException {
        for (Rows table : tables) {
            // What an earlier batch that failed half-way may have left.
            table.clear();
        }
        long bytes = 0;
        for (SecurityEvent event : batch) {
            bytes += add(event);
        }
        for (Rows table : tables) {
            table.send();
        }
        return bytes;
    }

    @Override
    public void close() throws SQLException {
        for (Rows table : tables) {
            table.close();
        }
    }

    private int add(SecurityEvent event) throws SQLException {
        byte[] id = ColumnValues.id(event.id());
        byte[] json = writer.toBytes(event);
        String description = EventText.searchable(event.description());
        boolean isLong = EventText.isLong(description);
        Set<String> categories = texts(event.categories().stream());
        Set<String> detectors = texts(event.nodes().stream().map(Node::name));
        Side sources = Side.of(event.sources());
        Side targets = Side.of(event.targets());
        List<String> protocols = event.endpoints()
                .flatMap(end -> end.protocols().stream())
                .map(ColumnValues::text)
                .toList();
        events.add(
                id,
                WholeText.of(event.id()),
                ColumnValues.time(event.detectTime()),
                isLong ? null : description,
                oneOrMark(categories),
                oneOrMark(detectors),
                (long) sources.addresses.size(),
                sources.lowest(),
                sources.highest(),
                (long) targets.addresses.size(),
                targets.lowest(),
                targets.highest(),
                port(sources.ports),
                port(targets.ports),
                protocols.isEmpty() ? null : protocols.get(0),
                protocols.size() < 2 ? null : protocols.get(protocols.size() - 1),
                connections(event),
                isLong ? description : null,
                json);
        addAddresses(id, "S", sources);
        addAddresses(id, "T", targets);
        addValues(id, "C", categories);
        addValues(id, "D", detectors);
        addValues(id, "S", sources.ports);
        addValues(id, "T", targets.ports);
        return json.length;
    }

    private void addAddresses(byte[] id, String side, Side of) throws SQLException {
        if (of.addresses.size() > 1) {
            for (AddressRange range : of.addresses) {
                addresses.add(id, side, ColumnValues.first(range), ColumnValues.last(range));
            }
        }
    }

    private void addValues(byte[] id, String field, Set<?> several) throws SQLException {
        if (several.size() > 1) {
            for (Object value : several) {
                values.add(id, field, value.toString());
            }
        }
    }

    /** Each once, in the form of a column. */
    private static Set<String> texts(Stream<String> texts) {
        Set<String> distinct = new LinkedHashSet<>();
        texts.forEach(text -> distinct.add(ColumnValues.text(text)));
        return distinct;
    }

    private static long connections(SecurityEvent event) {
        var count = event.other().get("ConnCount");
        return count != null && count.canConvertToLong() ? count.longValue() : 1;
    }

    /** One side of an event: each address and each port once. */
    private record Side(Set<AddressRange> addresses, Set<Integer> ports) {
        static Side of(List<Endpoint> ends) {
            Side side = new Side(new LinkedHashSet<>(), new LinkedHashSet<>());
            for (Endpoint end : ends) {
                side.addresses.addAll(end.addresses());
                side.ports.addAll(end.ports());
            }
            return side;
        }

        byte @Nullable [] lowest() {
            return addresses.isEmpty() ? null : ColumnValues.first(Collections.min(addresses));
        }

        byte @Nullable [] highest() {
            return addresses.isEmpty()
                    ? null
                    : ColumnValues.last(Collections.max(addresses, Comparator.comparing(AddressRange::last)));
        }
    }

    /** The only one, or the mark of several, which have rows of their own. */
    private static @Nullable String oneOrMark(Set<String> texts) {
        return texts.isEmpty() ? null : texts.size() == 1 ? texts.iterator().next() : ColumnValues.SEVERAL;
    }

    private static @Nullable Long port(Set<Integer> ports) {
        return ports.isEmpty()
                ? null
                : (long) (ports.size() == 1 ? ports.iterator().next() : ColumnValues.SEVERAL_PORTS);
    }

    /** Adds rows to one table. */
    public interface Rows extends AutoCloseable {
        /**
         * Adds a row.
         *
         * @param row a value for each column, in their order: a text, bytes, a {@code Long}, a {@code LocalDateTime} in UTC, or none
         */
        void add(@Nullable Object... row) throws SQLException;

        /** Sends the rows that have not been sent yet. */
        void send() throws SQLException;

        /** Forgets what of an earlier batch, which failed half-way, has not been sent. */
        default void clear() throws SQLException {}

        @Override
        void close() throws SQLException;
    }

    /** By a statement with a value for each column. */
    record Batch(PreparedStatement statement) implements Rows {
        @Override
        public void add(@Nullable Object... row) throws SQLException {
            SqlStatement.bound(statement, Arrays.asList(row)).addBatch();
        }

        @Override
        public void send() throws SQLException {
            statement.executeBatch();
        }

        @Override
        public void clear() throws SQLException {
            statement.clearBatch();
        }

        @Override
        public void close() throws SQLException {
            statement.close();
        }
    }
}
