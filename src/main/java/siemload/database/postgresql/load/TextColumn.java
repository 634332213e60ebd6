package siemload.database.postgresql.load;

import java.time.Instant;
import java.util.List;
import siemload.database.postgresql.layout.SqlText;
import siemload.event.AddressRange;

/** The value of one column in the text form that PostgreSQL reads. */
final class TextColumn implements ColumnWriter {
    private String value = "";

    /** What was written last. */
    String value() {
        return value;
    }

    @Override
    public void text(String text) {
        value = SqlText.clean(text);
    }

    @Override
    public void timestamp(Instant instant) {
        value = SqlText.timestamp(instant);
    }

    @Override
    public void textArray(List<String> texts) {
        value = SqlText.textArray(texts);
    }

    @Override
    public void intArray(List<Integer> numbers) {
        value = SqlText.intArray(numbers);
    }

    @Override
    public void multirange(List<AddressRange> ranges) {
        value = SqlText.multirange(ranges);
    }

    @Override
    public void hull(List<AddressRange> ranges) {
        value = SqlText.hull(ranges);
    }
}
