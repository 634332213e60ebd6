package siemload.database.postgresql.load;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import org.postgresql.util.ByteConverter;
import siemload.database.postgresql.layout.SqlText;
import siemload.event.AddressRange;

/**
 * Appends columns to a row in the binary form that PostgreSQL's types send and receive, each with its length before it:
 * the same values as in {@link SqlText}, but nobody has to write digits and read them again.
 */
final class BinaryColumn {
    private static final int INT4 = 23;
    private static final int TEXT = 25;

    private static final int EMPTY_RANGE = 1;
    private static final int BOTH_ENDS_INCLUDED = 2 | 4;

    private final CopyBuffer buffer;

    BinaryColumn(CopyBuffer buffer) {
        this.buffer = buffer;
    }

    void text(String text) {
        int column = buffer.beginValue();
        buffer.utf8(text);
        buffer.endValue(column);
    }

    void timestamp(Instant instant) {
        bigint(SqlText.micros(instant));
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
        switch (range.family()) {
            case IP4 -> {
                bigint(range.firstLow());
                bigint(range.lastLow());
            }
            case IP6 -> {
                numeric(range.firstBytes());
                numeric(range.lastBytes());
            }
        }
        buffer.endValue(place);
    }

    private void bigint(long number) {
        buffer.int32(Long.BYTES);
        buffer.int64(number);
    }

    /** @param number big-endian and without a sign */
    private void numeric(byte[] number) {
        byte[] sent = ByteConverter.numeric(new BigDecimal(new BigInteger(1, number)));
        buffer.int32(sent.length);
        buffer.raw(sent);
    }
}
