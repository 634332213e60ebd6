package siemload.run.answers;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import siemload.query.Order;
import siemload.query.PageKey;
import siemload.query.Summary;

/** What came back for a sampled search, as far as it can be checked. Not changed once the search has ended. */
sealed interface Answer {

    /** Of rows and lines, in words. */
    int SHOWN = 200;

    /** How many rows of it are kept in memory. */
    int keptRows();

    /** What came back, for people. */
    String words();

    /** How it differs from another answer to the same search, of the same kind; empty if it does not. */
    Optional<String> differenceFrom(Answer first);

    /** The rows of a page. */
    record PageRows(List<Row> rows) implements Answer {
        @Override
        public int keptRows() {
            return rows.size();
        }

        @Override
        public String words() {
            String shown = rows.stream().limit(SHOWN).map(Row::id).collect(Collectors.joining(", "));
            return rows.size() + " rows: " + shown + (rows.size() > SHOWN ? ", ..." : "");
        }

        @Override
        public Optional<String> differenceFrom(Answer first) {
            return Row.difference(((PageRows) first).rows, rows);
        }
    }

    /**
     * A whole result, however long.
     *
     * @param stored the rows from before the run, summed up
     * @param fed the rows with detect times from the start of the run on, in no order
     * @param misplaced the id of the first row that did not come after the one before it; empty if all did
     */
    record WholeResult(UnorderedDigest stored, List<Row> fed, String misplaced) implements Answer {
        @Override
        public int keptRows() {
            return fed.size();
        }

        @Override
        public String words() {
            return stored.count() + " rows of the data set, " + fed.size() + " fed ones";
        }

        @Override
        public Optional<String> differenceFrom(Answer first) {
            WholeResult other = (WholeResult) first;
            return stored.sameAs(other.stored) && fed.equals(other.fed) && misplaced.equals(other.misplaced)
                    ? Optional.empty()
                    : Optional.of("not the same rows: " + (stored.count() + fed.size()) + " instead of "
                            + (other.stored.count() + other.fed.size()));
        }
    }

    /** An exact count. */
    record Count(long rows) implements Answer {
        @Override
        public int keptRows() {
            return 0;
        }

        @Override
        public String words() {
            return "a count of " + rows;
        }

        @Override
        public Optional<String> differenceFrom(Answer first) {
            return equals(first) ? Optional.empty() : Optional.of(words() + " instead of " + ((Count) first).rows);
        }
    }

    /** A summary. */
    record Lines(Summary summary, List<Summary.Line> lines) implements Answer {
        public Lines {
            lines = List.copyOf(lines);
        }

        @Override
        public int keptRows() {
            return lines.size();
        }

        @Override
        public String words() {
            return lines.stream()
                    .limit(SHOWN)
                    .map(line -> (summary instanceof Summary.OverTime ? line.from() + " " : "") + line.value() + ": "
                            + line.events())
                    .collect(Collectors.joining(", ", lines.size() + " lines: ", ""));
        }

        @Override
        public Optional<String> differenceFrom(Answer first) {
            List<Summary.Line> other = ((Lines) first).lines;
            return lines.equals(other)
                    ? Optional.empty()
                    : Optional.of("other lines: " + lines.size() + " instead of " + other.size());
        }
    }

    /**
     * The rows of a statement, summed up, whatever their order.
     *
     * @param shown some of the first ones, which nobody changes
     */
    record StatementRows(UnorderedDigest rows, List<byte[]> shown) implements Answer {
        public StatementRows {
            shown = List.copyOf(shown);
        }

        @Override
        public int keptRows() {
            return 0;
        }

        @Override
        public String words() {
            return rows.count() + (rows.count() == 1 ? " row" : " rows");
        }

        @Override
        public Optional<String> differenceFrom(Answer first) {
            return rows.sameAs(((StatementRows) first).rows)
                    ? Optional.empty()
                    : Optional.of("not the rows of the first answer to the same values");
        }
    }

    /**
     * What rows are compared by, as every target keeps it.
     *
     * @param micros the detect time in whole microseconds since 1970, rounded down
     */
    record Row(long micros, String id) {
        private static final long PER_SECOND = 1_000_000;
        private static final long MOST_SECONDS = Long.MAX_VALUE / PER_SECOND - 1;
        private static final Comparator<Row> ASCENDING =
                Comparator.comparingLong(Row::micros).thenComparing(Row::id, PageKey::compareUtf8);
        private static final Comparator<Row> DESCENDING = ASCENDING.reversed();

        Row(Instant detectTime, String id) {
            this(microsOf(detectTime), id);
        }

        /** An instant in microseconds; what is too far away for them is the smallest or the largest number. */
        static long microsOf(Instant instant) {
            long seconds = instant.getEpochSecond();
            if (Math.abs(seconds) > MOST_SECONDS) {
                return seconds < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
            }
            return seconds * PER_SECOND + instant.getNano() / 1_000;
        }

        /** {@link siemload.query.Order#comparator} for rows; unsorted ones are ordered as ascending ones. */
        static Comparator<Row> in(Order order) {
            return order == Order.NEWEST_FIRST ? DESCENDING : ASCENDING;
        }

        /** Whether a row that came after another one belongs there; where no order was asked for, all do. */
        boolean mayFollow(Row before, Order order) {
            return order == Order.UNSORTED || in(order).compare(before, this) < 0;
        }

        /** The first row in which one answer differs from the right one; empty where none does. */
        static Optional<String> difference(List<Row> right, List<Row> rows) {
            for (int row = 0; row < Math.min(right.size(), rows.size()); row++) {
                if (!right.get(row).equals(rows.get(row))) {
                    return Optional.of(
                            "row " + (row + 1) + " is " + rows.get(row).id() + " instead of "
                                    + right.get(row).id());
                }
            }
            return right.size() == rows.size()
                    ? Optional.empty()
                    : Optional.of(rows.size() + " rows instead of " + right.size());
        }

        /** The first of the rows that does not come after the one before it; negative if all do. */
        static int firstMisplaced(List<Row> rows, Order order) {
            for (int row = 1; row < rows.size(); row++) {
                if (!rows.get(row).mayFollow(rows.get(row - 1), order)) {
                    return row;
                }
            }
            return -1;
        }
    }

    /**
     * Many places or rows summed up in 128 bits, whatever their order: two sets of them have equal sums with a probability of
     * about 2^-128 unless they are equal. Not thread-safe.
     */
    final class UnorderedDigest {
        private static final long FIRST_FACTOR = 0x9E37_79B9_7F4A_7C15L;
        private static final long SECOND_FACTOR = 0xC2B2_AE3D_27D4_EB4FL;

        private long count;
        private long first;
        private long second;

        void add(Row row) {
            long one = row.micros();
            long two = ~one;
            for (int i = 0; i < row.id().length(); i++) {
                one = first(one, row.id().charAt(i));
                two = second(two, row.id().charAt(i));
            }
            add(one, two);
        }

        /** Adds the contents of a row. */
        void add(byte[] row) {
            long one = row.length;
            long two = ~row.length;
            for (byte part : row) {
                one = first(one, part);
                two = second(two, part);
            }
            add(one, two);
        }

        private static long first(long sum, int part) {
            long next = (sum ^ part) * FIRST_FACTOR;
            return next ^ next >>> 29;
        }

        private static long second(long sum, int part) {
            long next = (sum + part) * SECOND_FACTOR;
            return next ^ next >>> 32;
        }

        private void add(long one, long two) {
            count++;
            first += mixed(one);
            second += mixed(two);
        }

        long count() {
            return count;
        }

        boolean sameAs(UnorderedDigest other) {
            return count == other.count && first == other.first && second == other.second;
        }

        /** The sums, without the number of rows. */
        String hex() {
            return String.format(Locale.ROOT, "%016x%016x", first, second);
        }

        private static long mixed(long value) {
            long mixed = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
            mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
            return mixed ^ mixed >>> 31;
        }
    }
}
