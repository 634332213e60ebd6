package siemload.database.postgresql.load;

import java.time.Instant;
import java.util.List;
import siemload.event.AddressRange;

/** Takes the value of one column, in the form in which it goes to the server. See {@link EventColumn}. */
interface ColumnWriter {

    void text(String text);

    void timestamp(Instant instant);

    void textArray(List<String> texts);

    void intArray(List<Integer> numbers);

    /** All the ranges, which are of one family. */
    void multirange(List<AddressRange> ranges);

    /** The smallest range that covers all of them, which are of one family. */
    void hull(List<AddressRange> ranges);
}
