package siemload.database.postgresql.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import siemload.database.postgresql.layout.StoredField;
import siemload.database.sql.layout.LayoutTable;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * A column of a table that COPY fills, in binary form. Used by one thread.
 *
 * @param writing appends what the event has of the field; nothing for a field of an address
 */
record CopiedColumn(StoredField field, Writing writing) {

    /** Appends a value with its length before it. */
    @FunctionalInterface
    interface Writing {
        /** Appends it. @return the size of the JSON in it, in bytes */
        int write(SecurityEvent event, CopyBuffer buffer);
    }

    static List<CopiedColumn> of(LayoutTable<StoredField> table) {
        return table.columns().values().stream()
                .map(field -> new CopiedColumn(field, writing(field)))
                .toList();
    }

    private static Writing writing(StoredField field) {
        if (field == StoredField.JSON) {
            return json(new IdeaWriter());
        }
        if (field == StoredField.NETWORK || field == StoredField.SIDE) {
            return (event, buffer) -> 0;
        }
        EventColumn column = EventColumn.of(field);
        return (event, buffer) -> {
            column.write(event, buffer.column());
            return 0;
        };
    }

    /** The bytes as they are. */
    private static Writing json(IdeaWriter writer) {
        return (event, buffer) -> {
            int json = buffer.beginValue();
            try {
                writer.write(event, buffer.stream());
            } catch (IOException e) {
                throw new UncheckedIOException("a buffer in memory cannot fail", e);
            }
            return buffer.endValue(json);
        };
    }

    int write(SecurityEvent event, CopyBuffer buffer) {
        return writing.write(event, buffer);
    }
}
