package siemload.target.postgresql;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** How COPY gets the rows of one table. Used by one thread. */
interface CopyFormat {

    /** Before the first row. */
    default void begin(CopyBuffer buffer) {}

    void row(SecurityEvent event, CopyBuffer buffer);

    /** After the last row. */
    default void end(CopyBuffer buffer) throws SQLException {
        buffer.flush();
    }

    /** The table {@code events}, in COPY's text format. */
    final class Events implements CopyFormat {
        @Override
        public void row(SecurityEvent event, CopyBuffer buffer) {
            char separator = 0;
            for (EventColumn column : EventColumn.ALL) {
                if (separator != 0) {
                    buffer.raw(separator);
                }
                buffer.escaped(column.text(event));
                separator = '\t';
            }
            buffer.raw('\n');
        }
    }

    /** The table {@code events_json}, in COPY's binary format: the bytes of the JSON as they are. */
    final class EventsJson implements CopyFormat {
        private static final byte[] SIGNATURE = "PGCOPY\n\u00FF\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
        private static final int COLUMNS = 2;

        private final IdeaWriter writer = new IdeaWriter();

        @Override
        public void begin(CopyBuffer buffer) {
            buffer.raw(SIGNATURE);
            buffer.bigEndian(0, 4); // flags
            buffer.bigEndian(0, 4); // length of the header's extension
        }

        @Override
        public void row(SecurityEvent event, CopyBuffer buffer) {
            buffer.bigEndian(COLUMNS, 2);
            value(EventColumn.ID.text(event).getBytes(StandardCharsets.UTF_8), buffer);
            value(writer.toBytes(event), buffer);
        }

        @Override
        public void end(CopyBuffer buffer) throws SQLException {
            buffer.bigEndian(-1, 2);
            buffer.flush();
        }

        private static void value(byte[] bytes, CopyBuffer buffer) {
            buffer.bigEndian(bytes.length, 4);
            buffer.raw(bytes);
        }
    }
}
