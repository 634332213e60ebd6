package siemload.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import siemload.results.ResultText.BrokenFileException;

/**
 * Reads a table of a run row by row: a header line that must be the expected one, then cells
 * without quotes. Nothing is skipped: whatever is not as it should be ends the reading, with file and line.
 */
public final class TableReader {
    private static final double LARGEST = 1e100;

    private TableReader() {}

    /** One line of the file below its header, and its place. */
    public record Row(List<String> columns, List<String> cells, String place) {

        public String text(String column) {
            return cells.get(columns.indexOf(column));
        }

        /** The row's seconds since the start of the measured phase, negative in the warm-up. */
        public double second() throws BrokenFileException {
            return within("second", -LoggedInterval.MOST_SECONDS, LoggedInterval.MOST_SECONDS);
        }

        /** A number of 0 or more. */
        public double number(String column) throws BrokenFileException {
            return within(column, 0, LARGEST);
        }

        private double within(String column, double least, double most) throws BrokenFileException {
            try {
                double value = Double.parseDouble(text(column));
                if (value >= least && value <= most) {
                    return value;
                }
            } catch (NumberFormatException notOne) {
                // As one that is too large or too small.
            }
            throw new BrokenFileException(place + ": " + column + ": '" + BrokenFileException.shown(text(column))
                    + "' is not a number from " + least + " to " + most);
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
    public static void read(Path directory, RunFile table, RowReader reader) throws IOException {
        List<String> columns = table.columns();
        String header = String.join(",", columns);
        ResultText.lines(table.in(directory), table.fileName(), (line, place) -> {
            List<String> cells = List.of(line.split(",", -1));
            if (place.endsWith(":1") && !line.equals(header)) {
                throw new BrokenFileException(
                        place + ": the header is '" + BrokenFileException.shown(line) + "' (expected: " + header + ")");
            } else if (cells.size() != columns.size()) {
                throw new BrokenFileException(
                        place + ": " + cells.size() + " cells (expected: " + columns.size() + ")");
            } else if (!place.endsWith(":1")) {
                reader.read(new Row(columns, cells, place));
            }
        });
    }
}
