package siemload.database.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
    private final Rows events;
    private final Rows addresses;
    private final Rows values;
    private final List<Rows> tables;
    private final IdeaWriter writer = new IdeaWriter();

    EventInsert(Connection connection, TableGroup tables) throws SQLException {
        events = new Rows(
                connection.prepareStatement(tables.statement("insert-event").sql()));
        addresses = new Rows(
                connection.prepareStatement(tables.statement("insert-addr").sql()));
        values = new Rows(
                connection.prepareStatement(tables.statement("insert-list").sql()));
        this.tables = List.of(events, addresses, values);
    }

    /** Answers the size of the events as IDEA JSON, in bytes. */
    long insert(Collection<SecurityEvent> batch) throws SQLException {
        for (Rows table : tables) {
            // What an earlier batch that failed half-way may have left.
            table.statement.clearBatch();
        }
        long bytes = 0;
        for (SecurityEvent event : batch) {
            bytes += add(event);
        }
        for (Rows table : tables) {
            table.statement.executeBatch();
        }
        return bytes;
    }

    @Override
    public void close() throws SQLException {
        for (Rows table : tables) {
            table.statement.close();
        }
    }

    private int add(SecurityEvent event) throws SQLException {
        byte[] id = ColumnValues.id(event.id());
        byte[] json = writer.toBytes(event);
        String description = ColumnValues.description(event.description());
        boolean isLong = ColumnValues.isLong(description);
        Set<String> categories = texts(event.categories().stream());
        Set<String> detectors = texts(event.nodes().stream().map(Node::name));
        Side sources = Side.of(event.sources());
        Side targets = Side.of(event.targets());
        List<String> protocols = event.endpoints()
                .flatMap(end -> end.protocols().stream())
                .map(ColumnValues::text)
                .toList();
        events.bytes(id).text(WholeText.of(event.id()));
        events.statement.setObject(++events.place, ColumnValues.time(event.detectTime()));
        events.text(isLong ? null : description).oneOrMark(categories).oneOrMark(detectors);
        events.side(sources).side(targets).port(sources.ports).port(targets.ports);
        events.text(protocols.isEmpty() ? null : protocols.get(0));
        events.text(protocols.size() < 2 ? null : protocols.get(protocols.size() - 1));
        events.statement.setLong(++events.place, connections(event));
        events.text(isLong ? description : null).bytes(json).end();
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
                addresses
                        .bytes(id)
                        .text(side)
                        .bytes(ColumnValues.first(range))
                        .bytes(ColumnValues.last(range))
                        .end();
            }
        }
    }

    private void addValues(byte[] id, String field, Set<?> several) throws SQLException {
        if (several.size() > 1) {
            for (Object value : several) {
                values.bytes(id).text(field).text(value.toString()).end();
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

    /** One side of an event: each address and each port once, and what covers all addresses. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Side(
            Set<AddressRange> addresses, byte @Nullable [] lowest, byte @Nullable [] highest, Set<Integer> ports) {
        static Side of(List<Endpoint> ends) {
            Set<AddressRange> addresses = new LinkedHashSet<>();
            Set<Integer> ports = new LinkedHashSet<>();
            for (Endpoint end : ends) {
                addresses.addAll(end.addresses());
                ports.addAll(end.ports());
            }
            byte[] lowest = null;
            byte[] highest = null;
            for (AddressRange range : addresses) {
                byte[] first = ColumnValues.first(range);
                byte[] last = ColumnValues.last(range);
                lowest = lowest == null || Arrays.compareUnsigned(first, lowest) < 0 ? first : lowest;
                highest = highest == null || Arrays.compareUnsigned(last, highest) > 0 ? last : highest;
            }
            return new Side(addresses, lowest, highest, ports);
        }
    }

    /** Binds the values of the rows of one table, in the order of its statement. */
    private static final class Rows {
        private final PreparedStatement statement;
        private int place;

        Rows(PreparedStatement statement) {
            this.statement = statement;
        }

        Rows text(@Nullable String text) throws SQLException {
            statement.setString(++place, text);
            return this;
        }

        Rows bytes(byte @Nullable [] bytes) throws SQLException {
            statement.setBytes(++place, bytes);
            return this;
        }

        /** The only one, or the mark of several, which have rows of their own. */
        Rows oneOrMark(Set<String> texts) throws SQLException {
            return text(
                    texts.isEmpty()
                            ? null
                            : texts.size() == 1 ? texts.iterator().next() : ColumnValues.SEVERAL);
        }

        Rows port(Set<Integer> ports) throws SQLException {
            place++;
            if (ports.isEmpty()) {
                statement.setNull(place, Types.NUMERIC);
            } else {
                statement.setInt(place, ports.size() == 1 ? ports.iterator().next() : ColumnValues.SEVERAL_PORTS);
            }
            return this;
        }

        Rows side(Side side) throws SQLException {
            statement.setInt(++place, side.addresses.size());
            return bytes(side.lowest).bytes(side.highest);
        }

        void end() throws SQLException {
            statement.addBatch();
            place = 0;
        }
    }
}
