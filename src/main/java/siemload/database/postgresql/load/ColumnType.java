package siemload.database.postgresql.load;

import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import siemload.database.postgresql.layout.SqlText;
import siemload.event.AddressRange;

/**
 * How values of one type go to the server.
 *
 * @param text a value in the type's text form
 * @param binary appends a value in the form that the type sends and receives, with its length before it
 */
record ColumnType<T>(Function<T, String> text, BiConsumer<BinaryColumn, T> binary) {
    static final ColumnType<String> TEXT = new ColumnType<>(SqlText::clean, BinaryColumn::text);
    static final ColumnType<Instant> TIMESTAMP = new ColumnType<>(SqlText::timestamp, BinaryColumn::timestamp);
    static final ColumnType<List<String>> TEXTS = new ColumnType<>(SqlText::textArray, BinaryColumn::textArray);
    static final ColumnType<List<Integer>> NUMBERS = new ColumnType<>(SqlText::intArray, BinaryColumn::intArray);
    /** All the ranges, which are of one family. */
    static final ColumnType<List<AddressRange>> RANGES =
            new ColumnType<>(SqlText::multirange, BinaryColumn::multirange);
    /** The smallest range that covers all of them, which are of one family. */
    static final ColumnType<List<AddressRange>> HULL = new ColumnType<>(SqlText::hull, BinaryColumn::hull);
}
