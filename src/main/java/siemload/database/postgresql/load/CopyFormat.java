package siemload.database.postgresql.load;

import java.util.List;
import siemload.database.postgresql.layout.Networks;
import siemload.database.postgresql.layout.StoredField;
import siemload.database.sql.layout.LayoutTable;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;

/** How COPY gets the rows of one table. Used by one thread. */
@FunctionalInterface
interface CopyFormat {
    int INET_IP4 = 2;
    int INET_IP6 = 3;

    /** Appends the event's rows. @return the size of the JSON in them, in bytes */
    int rows(SecurityEvent event, CopyBuffer buffer);

    /** The format of a table. */
    static CopyFormat of(LayoutTable<StoredField> table) {
        return switch (table.rows()) {
            case EVENTS -> events(CopiedColumn.of(table));
            case ADDRESSES -> addresses(CopiedColumn.of(table));
            case SEVERAL_ADDRESSES, VALUES, SEVERAL_VALUES ->
                throw new AssertionError("the reader of layouts takes no such table: " + table.name());
        };
    }

    private static CopyFormat events(List<CopiedColumn> columns) {
        return (event, buffer) -> {
            buffer.beginRow(columns.size());
            int jsonBytes = 0;
            for (int i = 0; i < columns.size(); i++) {
                jsonBytes += columns.get(i).write(event, buffer);
            }
            return jsonBytes;
        };
    }

    private static CopyFormat addresses(List<CopiedColumn> columns) {
        return (event, buffer) -> {
            side(event.sources(), 's', event, columns, buffer);
            side(event.targets(), 't', event, columns, buffer);
            return 0;
        };
    }

    private static void side(
            List<Endpoint> ends, char side, SecurityEvent event, List<CopiedColumn> columns, CopyBuffer buffer) {
        for (AddressRange network : Networks.ofSide(ends)) {
            buffer.beginRow(columns.size());
            for (int i = 0; i < columns.size(); i++) {
                switch (columns.get(i).field()) {
                    case NETWORK -> {
                        int address = buffer.beginValue();
                        inet(network, buffer);
                        buffer.endValue(address);
                    }
                    case SIDE -> {
                        buffer.int32(1);
                        buffer.int8(side);
                    }
                    default -> columns.get(i).write(event, buffer);
                }
            }
        }
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
