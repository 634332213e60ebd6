package siemload.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import siemload.results.ResultText.ResultLines;

/**
 * Reads a table of a run row by row: a header line that must be the expected one, then cells
 * without quotes. Nothing is skipped: whatever is not as it should be ends the reading, with file and line.
 */
public final class TableReader {
    private static final double LARGEST = 1e100;

    private final Path file;
    private final List<String> columns;

    public TableReader(Path directory, RunFile table) {
        this.file = table.in(directory);
        this.columns = table.columns();
    }

    /** One line of the file below its header. */
    public final class Row {
        private final ResultLines lines;
        private final String[] cells;

        private Row(ResultLines lines, String[] cells) {
            this.lines = lines;
            this.cells = cells;
        }

        public String text(String column) {
            return cells[columns.indexOf(column)];
        }

        /** The row's seconds since the start of the measured phase, negative in the warm-up. */
        public double second() throws BrokenFileException {
            double second = parse("second");
            if (Math.abs(second) > LoggedInterval.MOST_SECONDS) {
                throw wrong("second", "further from the start than any run is long");
            }
            return second;
        }

        /** A number of 0 or more. */
        public double number(String column) throws BrokenFileException {
            double value = parse(column);
            if (value < 0) {
                throw wrong(column, "less than 0");
            }
            if (value > LARGEST) {
                throw wrong(column, "more than anything can be in a second");
            }
            return value;
        }

        private double parse(String column) throws BrokenFileException {
            double value;
            try {
                value = Double.parseDouble(text(column));
            } catch (NumberFormatException notOne) {
                throw wrong(column, "not a number");
            }
            if (!Double.isFinite(value)) {
                throw wrong(column, "not a finite number");
            }
            return value;
        }

        public BrokenFileException wrong(String column, String why) {
            return lines.broken(column + ": '" + BrokenFileException.shown(text(column)) + "' is " + why);
        }
    }

    /** Takes a row. */
    @FunctionalInterface
    public interface RowReader {
        void read(Row row) throws IOException;
    }

    /**
     * Reads all rows.
     *
     * @throws BrokenFileException if the file is not of this form
     * @throws IOException if it cannot be read; {@link java.nio.file.NoSuchFileException} if it is not there
     */
    public void read(RowReader reader) throws IOException {
        try (ResultLines lines = ResultLines.open(file, String.valueOf(file.getFileName()))) {
            String header = lines.next().orElse("");
            if (!header.equals(String.join(",", columns))) {
                throw lines.broken("the header is '" + BrokenFileException.shown(header) + "' (expected: "
                        + String.join(",", columns) + ")");
            }
            for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
                String[] cells = line.get().split(",", -1);
                if (cells.length != columns.size()) {
                    throw lines.broken(cells.length + " cells (expected: " + columns.size() + ")");
                }
                reader.read(new Row(lines, cells));
            }
        }
    }
}
