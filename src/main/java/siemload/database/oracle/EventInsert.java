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
import org.jspecify.annotations.Nullable;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.IdeaWriter;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.event.WholeText;

/**
 * Inserts events into the three tables by array binding: the one mapping, for loading and for feeding alike. Used by one
 * thread; the caller commits.
 */
final class EventInsert implements AutoCloseable {
    private final PreparedStatement events;
    private final PreparedStatement addresses;
    private final PreparedStatement lists;
    private final IdeaWriter writer = new IdeaWriter();
    private byte[] id = {};
    private int place;

    EventInsert(Connection connection, TableGroup tables) throws SQLException {
        events = connection.prepareStatement(tables.statement("insert-event").sql());
        addresses = connection.prepareStatement(tables.statement("insert-addr").sql());
        lists = connection.prepareStatement(tables.statement("insert-list").sql());
    }

    /** Answers the size of the events as IDEA JSON, in bytes. */
    long insert(Collection<SecurityEvent> batch) throws SQLException {
        for (PreparedStatement statement : List.of(events, addresses, lists)) {
            statement.clearBatch(); // What an earlier batch that failed half-way may have left.
        }
        long bytes = 0;
        for (SecurityEvent event : batch) {
            bytes += add(event);
        }
        events.executeBatch();
        addresses.executeBatch();
        lists.executeBatch();
        return bytes;
    }

    @Override
    public void close() throws SQLException {
        events.close();
        addresses.close();
        lists.close();
    }

    /** The values in the order of {@code insert-event.sql}. */
    private int add(SecurityEvent event) throws SQLException {
        id = ColumnValues.id(event.id());
        place = 0;
        events.setBytes(++place, id);
        events.setString(++place, WholeText.of(event.id()));
        events.setObject(++place, ColumnValues.time(event.detectTime()));
        String name = ColumnValues.description(event.description());
        boolean isLong = ColumnValues.isLong(name);
        events.setString(++place, isLong ? null : name);
        events.setString(++place, oneOrList("C", event.categories()));
        events.setString(
                ++place, oneOrList("D", event.nodes().stream().map(Node::name).toList()));
        addAddresses("S", event.sources());
        addAddresses("T", event.targets());
        addPorts("S", event.sources());
        addPorts("T", event.targets());
        List<String> protocols =
                event.endpoints().flatMap(end -> end.protocols().stream()).toList();
        events.setString(++place, protocols.isEmpty() ? null : ColumnValues.text(protocols.get(0)));
        events.setString(++place, protocols.size() < 2 ? null : ColumnValues.text(protocols.get(protocols.size() - 1)));
        events.setLong(++place, connections(event));
        events.setString(++place, isLong ? name : null);
        byte[] json = writer.toBytes(event);
        events.setBytes(++place, json);
        events.addBatch();
        return json.length;
    }

    private @Nullable String oneOrList(String field, List<String> texts) throws SQLException {
        Set<String> distinct = new LinkedHashSet<>();
        texts.forEach(text -> distinct.add(ColumnValues.text(text)));
        if (distinct.size() < 2) {
            return distinct.isEmpty() ? null : distinct.iterator().next();
        }
        addToList(field, distinct);
        return ColumnValues.SEVERAL;
    }

    private void addPorts(String side, List<Endpoint> ends) throws SQLException {
        Set<Integer> ports = new LinkedHashSet<>();
        ends.forEach(end -> ports.addAll(end.ports()));
        if (ports.isEmpty()) {
            events.setNull(++place, Types.NUMERIC);
        } else if (ports.size() == 1) {
            events.setInt(++place, ports.iterator().next());
        } else {
            events.setInt(++place, ColumnValues.SEVERAL_PORTS);
            addToList(side, ports.stream().map(String::valueOf).toList());
        }
    }

    private void addToList(String field, Collection<String> texts) throws SQLException {
        for (String text : texts) {
            lists.setBytes(1, id);
            lists.setString(2, field);
            lists.setString(3, text);
            lists.addBatch();
        }
    }

    private void addAddresses(String side, List<Endpoint> ends) throws SQLException {
        List<AddressRange> ranges = ends.stream()
                .flatMap(end -> end.addresses().stream())
                .distinct()
                .toList();
        byte @Nullable [] lowest = null;
        byte @Nullable [] highest = null;
        for (AddressRange range : ranges) {
            byte[] first = ColumnValues.first(range);
            byte[] last = ColumnValues.last(range);
            lowest = lowest == null || Arrays.compareUnsigned(first, lowest) < 0 ? first : lowest;
            highest = highest == null || Arrays.compareUnsigned(last, highest) > 0 ? last : highest;
            if (ranges.size() > 1) {
                addresses.setBytes(1, id);
                addresses.setString(2, side);
                addresses.setBytes(3, first);
                addresses.setBytes(4, last);
                addresses.addBatch();
            }
        }
        events.setInt(++place, ranges.size());
        events.setBytes(++place, lowest);
        events.setBytes(++place, highest);
    }

    private static long connections(SecurityEvent event) {
        var count = event.other().get("ConnCount");
        return count != null && count.canConvertToLong() ? count.longValue() : 1;
    }
}
