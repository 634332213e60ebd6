package siemload.database.postgresql.load;

import java.time.Instant;
import java.util.List;
import siemload.database.postgresql.layout.SqlText;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;

/**
 * Appends columns to a row in the binary form that PostgreSQL's types send and receive, each with its length before it:
 * the same values as in {@link SqlText}, but nobody has to write digits and read them again.
 */
final class BinaryColumn {
    private static final int INT4 = 23;
    private static final int TEXT = 25;

    private static final int EMPTY_RANGE = 1;
    private static final int BOTH_ENDS_INCLUDED = 2 | 4;

    private static final long NUMERIC_BASE = 10_000;
    /** Digits of {@link #NUMERIC_BASE} in 128 bits. */
    private static final int MOST_NUMERIC_DIGITS = 10;

    private final CopyBuffer buffer;
    private final short[] digits = new short[MOST_NUMERIC_DIGITS];

    BinaryColumn(CopyBuffer buffer) {
        this.buffer = buffer;
    }

    void text(String text) {
        int column = buffer.beginValue();
        buffer.utf8(text);
        buffer.endValue(column);
    }

    void timestamp(Instant instant) {
        buffer.int32(Long.BYTES);
        buffer.int64(SqlText.micros(instant));
    }

    void textArray(List<String> texts) {
        int column = beginArray(TEXT, texts.size());
        for (int i = 0; i < texts.size(); i++) {
            text(texts.get(i));
        }
        buffer.endValue(column);
    }

    void intArray(List<Integer> numbers) {
        int column = beginArray(INT4, numbers.size());
        for (int i = 0; i < numbers.size(); i++) {
            buffer.int32(Integer.BYTES);
            buffer.int32(numbers.get(i));
        }
        buffer.endValue(column);
    }

    void multirange(List<AddressRange> ranges) {
        int column = buffer.beginValue();
        buffer.int32(ranges.size());
        for (int i = 0; i < ranges.size(); i++) {
            range(ranges.get(i));
        }
        buffer.endValue(column);
    }

    void hull(List<AddressRange> ranges) {
        if (ranges.isEmpty()) {
            buffer.int32(1);
            buffer.int8(EMPTY_RANGE);
        } else {
            range(AddressRange.hull(ranges));
        }
    }

    private int beginArray(int type, int size) {
        int column = buffer.beginValue();
        buffer.int32(size == 0 ? 0 : 1); // dimensions
        buffer.int32(0); // no element is null
        buffer.int32(type);
        if (size > 0) {
            buffer.int32(size);
            buffer.int32(1); // the first index
        }
        return column;
    }

    private void range(AddressRange range) {
        int place = buffer.beginValue();
        buffer.int8(BOTH_ENDS_INCLUDED);
        end(range.family(), range.firstHigh(), range.firstLow());
        end(range.family(), range.lastHigh(), range.lastLow());
        buffer.endValue(place);
    }

    private void end(Family family, long high, long low) {
        switch (family) {
            case IP4 -> {
                buffer.int32(Long.BYTES);
                buffer.int64(low);
            }
            case IP6 -> {
                int place = buffer.beginValue();
                numeric(high, low);
                buffer.endValue(place);
            }
        }
    }

    /** A whole number of 128 bits without a sign. */
    private void numeric(long high, long low) {
        int size = digits(high, low);
        buffer.int16(size);
        buffer.int16(size - 1); // the exponent of the first digit
        buffer.int16(0); // positive
        buffer.int16(0); // digits after the point
        for (int i = size - 1; i >= 0; i--) {
            buffer.int16(digits[i]);
        }
    }

    /** Fills {@link #digits}, the lowest first, by long division, and answers how many there are. */
    private int digits(long high, long low) {
        long upper = high;
        long lower = low;
        int size = 0;
        while ((upper | lower) != 0) {
            long middle = (Long.remainderUnsigned(upper, NUMERIC_BASE) << 32) | (lower >>> 32);
            long last = ((middle % NUMERIC_BASE) << 32) | (lower & 0xFFFF_FFFFL);
            upper = Long.divideUnsigned(upper, NUMERIC_BASE);
            lower = ((middle / NUMERIC_BASE) << 32) | (last / NUMERIC_BASE);
            digits[size++] = (short) (last % NUMERIC_BASE);
        }
        return size;
    }
}
