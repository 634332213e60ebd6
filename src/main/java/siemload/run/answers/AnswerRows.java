package siemload.run.answers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import siemload.query.Order;

/** The places of an answer's rows, as they came. Not thread-safe. */
final class AnswerRows {
    private static final int FIRST_CAPACITY = 16;

    private final RowOrder order;
    private final List<String> ids = new ArrayList<>();
    private long[] micros = new long[FIRST_CAPACITY];
    private int firstMisplaced = -1;

    AnswerRows(Order order) {
        this.order = RowOrder.of(order);
    }

    void add(long detectMicros, String id) {
        int row = ids.size();
        if (row == micros.length) {
            micros = Arrays.copyOf(micros, row * 2);
        }
        micros[row] = detectMicros;
        ids.add(id);
        if (row > 0 && firstMisplaced < 0 && order != RowOrder.NONE && compare(row - 1, detectMicros, id) >= 0) {
            firstMisplaced = row;
        }
    }

    int size() {
        return ids.size();
    }

    boolean isEmpty() {
        return ids.isEmpty();
    }

    String id(int row) {
        return ids.get(row);
    }

    List<String> ids() {
        return List.copyOf(ids);
    }

    long micros(int row) {
        return micros[row];
    }

    int last() {
        return ids.size() - 1;
    }

    RowOrder order() {
        return order;
    }

    /** The first row that does not come after the one before it in the order of the search; negative if all do. */
    int firstMisplaced() {
        return firstMisplaced;
    }

    /** Negative if the row comes before this place in the order of the search, 0 if it is at it. */
    int compare(int row, long otherMicros, String otherId) {
        return order.compare(micros[row], ids.get(row), otherMicros, otherId);
    }

    /** The row at this place, or a negative number; the rows must be in order. */
    int find(long detectMicros, String id) {
        int low = 0;
        int high = ids.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int compared = compare(middle, detectMicros, id);
            if (compared == 0) {
                return middle;
            }
            if (compared < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }
}
