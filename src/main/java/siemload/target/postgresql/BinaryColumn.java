package siemload.target.postgresql;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;

/**
 * Appends columns to a row in the binary form that PostgreSQL's types send and receive, each with its length before it:
 * the same values as {@link TextColumn}'s, but nobody has to write digits and read them again.
 */
final class BinaryColumn implements ColumnWriter {
    private static final int INT4 = 23;
    private static final int TEXT = 25;

    private static final int EMPTY_RANGE = 1;
    private static final int BOTH_ENDS_INCLUDED = 2 | 4;

    private static final BigInteger NUMERIC_BASE = BigInteger.valueOf(10_000);
    /** Digits of {@link #NUMERIC_BASE} in 128 bits. */
    private static final int MOST_NUMERIC_DIGITS = 10;

    private final CopyBuffer buffer;
    private final short[] digits = new short[MOST_NUMERIC_DIGITS];

    BinaryColumn(CopyBuffer buffer) {
        this.buffer = buffer;
    }

    @Override
    public void text(String text) {
        int column = buffer.beginValue();
        buffer.utf8(text);
        buffer.endValue(column);
    }

    @Override
    public void timestamp(Instant instant) {
        buffer.int32(Long.BYTES);
        buffer.int64(SqlTime.micros(instant));
    }

    @Override
    public void textArray(Iterable<String> texts) {
        int column = buffer.beginValue();
        int size = 0;
        for (String text : texts) {
            if (size++ == 0) {
                beginElements(TEXT);
            }
            text(text);
        }
        endElements(column, TEXT, size);
    }

    @Override
    public void intArray(Iterable<Integer> numbers) {
        int column = buffer.beginValue();
        int size = 0;
        for (int number : numbers) {
            if (size++ == 0) {
                beginElements(INT4);
            }
            buffer.int32(Integer.BYTES);
            buffer.int32(number);
        }
        endElements(column, INT4, size);
    }

    @Override
    public void multirange(List<AddressRange> ranges) {
        int column = buffer.beginValue();
        buffer.int32(ranges.size());
        for (int i = 0; i < ranges.size(); i++) {
            range(ranges.get(i));
        }
        buffer.endValue(column);
    }

    @Override
    public void hull(List<AddressRange> ranges) {
        if (ranges.isEmpty()) {
            buffer.int32(1);
            buffer.int8(EMPTY_RANGE);
        } else {
            range(AddressRange.hull(ranges));
        }
    }

    /** Of an array with one dimension and at least one element; the size follows in {@link #endElements}. */
    private void beginElements(int type) {
        arrayHeader(1, type);
        buffer.int32(0);
        buffer.int32(1); // the first index
    }

    private void endElements(int column, int type, int size) {
        if (size == 0) {
            arrayHeader(0, type);
        } else {
            buffer.putInt32(column + 3 * Integer.BYTES, size);
        }
        buffer.endValue(column);
    }

    private void arrayHeader(int dimensions, int type) {
        buffer.int32(dimensions);
        buffer.int32(0); // no element is null
        buffer.int32(type);
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
                numeric(SqlText.number(high, low));
                buffer.endValue(place);
            }
        }
    }

    /** A number of 0 or more without a fraction. */
    private void numeric(BigInteger number) {
        int size = 0;
        for (BigInteger rest = number; rest.signum() > 0; ) {
            BigInteger[] parts = rest.divideAndRemainder(NUMERIC_BASE);
            digits[size++] = parts[1].shortValue();
            rest = parts[0];
        }
        buffer.int16(size);
        buffer.int16(size - 1); // the exponent of the first digit
        buffer.int16(0); // positive
        buffer.int16(0); // digits after the point
        for (int i = size - 1; i >= 0; i--) {
            buffer.int16(digits[i]);
        }
    }
}
