package siemload.database.postgresql.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.Networks;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** How COPY gets the rows of one table. Used by one thread. */
@FunctionalInterface
interface CopyFormat {
    int ADDRESS_COLUMNS = 4;
    int INET_IP4 = 2;
    int INET_IP6 = 3;

    /** Appends the event's rows. @return the size of the JSON in them, in bytes */
    int rows(SecurityEvent event, CopyBuffer buffer) throws SQLException;

    /** The format of the table with this name. */
    static CopyFormat of(String table, Layout layout) {
        return switch (table) {
            case "events" -> CopyFormat::events;
            case "events_json" -> json(new IdeaWriter(), keysOfJson(layout));
            case "event_address" -> CopyFormat::addresses;
            default -> throw new IllegalArgumentException("no table of a layout: " + table);
        };
    }

    private static int events(SecurityEvent event, CopyBuffer buffer) throws SQLException {
        int columns = EventColumn.ALL.size();
        buffer.beginRow(columns);
        for (int i = 0; i < columns; i++) {
            EventColumn.ALL.get(i).write(event, buffer.column());
        }
        return 0;
    }

    private static List<EventColumn> keysOfJson(Layout layout) {
        return layout.isByDay() ? List.of(EventColumn.ID, EventColumn.DETECT_TIME) : List.of(EventColumn.ID);
    }

    /** The bytes of the JSON as they are, behind the key. */
    private static CopyFormat json(IdeaWriter writer, List<EventColumn> key) {
        return (event, buffer) -> {
            buffer.beginRow(key.size() + 1);
            for (int i = 0; i < key.size(); i++) {
                key.get(i).write(event, buffer.column());
            }
            int json = buffer.beginValue();
            try {
                writer.write(event, buffer.stream());
            } catch (IOException e) {
                throw new UncheckedIOException("a buffer in memory cannot fail", e);
            }
            return buffer.endValue(json);
        };
    }

    private static int addresses(SecurityEvent event, CopyBuffer buffer) throws SQLException {
        for (AddressRange network : Networks.ofSide(event.sources())) {
            address(network, event, 's', buffer);
        }
        for (AddressRange network : Networks.ofSide(event.targets())) {
            address(network, event, 't', buffer);
        }
        return 0;
    }

    private static void address(AddressRange network, SecurityEvent event, char side, CopyBuffer buffer)
            throws SQLException {
        buffer.beginRow(ADDRESS_COLUMNS);
        int address = buffer.beginValue();
        inet(network, buffer);
        buffer.endValue(address);
        EventColumn.DETECT_TIME.write(event, buffer.column());
        EventColumn.ID.write(event, buffer.column());
        buffer.int32(1);
        buffer.int8(side);
    }

    /** Appends the network as the type {@code inet} sends and receives it. */
    private static void inet(AddressRange network, CopyBuffer buffer) {
        boolean ip4 = network.family() == Family.IP4;
        buffer.int8(ip4 ? INET_IP4 : INET_IP6);
        buffer.int8(network.sharedBits());
        buffer.int8(0); // inet, not cidr
        buffer.int8(network.family().bits() / Byte.SIZE);
        if (ip4) {
            buffer.int32((int) network.firstLow());
        } else {
            buffer.int64(network.firstHigh());
            buffer.int64(network.firstLow());
        }
    }
}
