package siemload.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads the plain CSV of a run directory row by row: a header line that must be the expected one, then cells without
 * quotes. Nothing is skipped: whatever is not as it should be ends the reading, with file and line.
 */
final class CsvFile {
    private final Path file;
    private final List<String> columns;

    /** @param header the names of the columns, with commas between */
    CsvFile(Path file, String header) {
        this.file = file;
        this.columns = List.of(header.split(",", -1));
    }

    /** One line of the file below its header. */
    final class Row {
        private final int line;
        private final String[] cells;

        private Row(int line, String[] cells) {
            this.line = line;
            this.cells = cells;
        }

        String text(String column) {
            return cells[columns.indexOf(column)];
        }

        /** The row's seconds since the start of the measured phase, negative in the warm-up. */
        double second() throws BrokenFileException {
            return parse("second");
        }

        /** A number of 0 or more. */
        double number(String column) throws BrokenFileException {
            double value = parse(column);
            if (value < 0) {
                throw wrong(column, "less than 0");
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

        BrokenFileException wrong(String column, String why) {
            return broken(line, column + ": '" + text(column) + "' is " + why);
        }
    }

    /** Takes a row. */
    @FunctionalInterface
    interface RowReader {
        void read(Row row) throws IOException;
    }

    /**
     * Reads all rows.
     *
     * @throws BrokenFileException if the file is not of this form
     * @throws IOException if it cannot be read; {@link java.nio.file.NoSuchFileException} if it is not there
     */
    void read(RowReader reader) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String header = lines.readLine();
            if (header == null || !header.equals(String.join(",", columns))) {
                throw broken(
                        1,
                        "the header is '" + (header == null ? "" : header) + "' (expected: " + String.join(",", columns)
                                + ")");
            }
            int number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                String[] cells = line.split(",", -1);
                if (cells.length != columns.size()) {
                    throw broken(number, cells.length + " cells (expected: " + columns.size() + ")");
                }
                reader.read(new Row(number, cells));
            }
        } catch (CharacterCodingException notText) {
            throw new BrokenFileException(file.getFileName() + ": not UTF-8", notText);
        }
    }

    private BrokenFileException broken(int line, String why) {
        return new BrokenFileException(file.getFileName() + ":" + line + ": " + why);
    }
}
