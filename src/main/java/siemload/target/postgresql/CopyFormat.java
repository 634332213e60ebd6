package siemload.target.postgresql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** How COPY gets the rows of one table. Used by one thread. */
interface CopyFormat {

    /** Appends the event's rows. */
    void rows(SecurityEvent event, CopyBuffer buffer) throws SQLException;

    /** The table {@code events}. */
    final class Events implements CopyFormat {
        private static final int COLUMNS = EventColumn.ALL.size();

        @Override
        public void rows(SecurityEvent event, CopyBuffer buffer) throws SQLException {
            buffer.beginRow(COLUMNS);
            for (int i = 0; i < COLUMNS; i++) {
                EventColumn.ALL.get(i).write(event, buffer.column());
            }
        }
    }

    /** The table {@code events_json}: the bytes of the JSON as they are. */
    final class EventsJson implements CopyFormat {
        private static final int COLUMNS = 2;

        private final IdeaWriter writer = new IdeaWriter();

        @Override
        public void rows(SecurityEvent event, CopyBuffer buffer) throws SQLException {
            buffer.beginRow(COLUMNS);
            EventColumn.ID.write(event, buffer.column());
            int json = buffer.beginValue();
            try {
                writer.write(event, buffer.stream());
            } catch (IOException e) {
                throw new UncheckedIOException("a buffer in memory cannot fail", e);
            }
            buffer.endValue(json);
        }
    }
}
