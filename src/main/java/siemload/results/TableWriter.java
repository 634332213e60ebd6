package siemload.results;

import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.results.RunWriter.RunListener;

/**
 * Writes a table of a run: a header, then plain CSV without quotes. The first column is the second that ends, counted from the
 * start of the measured phase, with three decimals; other numbers that are no whole ones have four. Thread-safe as far
 * as its listener is.
 */
public final class TableWriter implements AutoCloseable {
    private final RunFile table;
    private final List<String> columns;
    private final RunListener listener;
    private final PrintStream file;

    TableWriter(Path directory, RunFile table, RunListener listener) throws IOException {
        this.table = table;
        this.columns = table.columns();
        this.listener = listener;
        this.file = RunWriter.open(directory, table);
        file.print(String.join(",", columns) + "\n");
    }

    /**
     * Writes a row.
     *
     * @param values one for each column behind the second; texts must hold no comma
     */
    public void row(double second, Object... values) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put(columns.get(0), rounded(second, 3));
        for (int i = 0; i < values.length; i++) {
            row.put(columns.get(i + 1), text(values[i]));
        }
        file.print(String.join(",", row.values()) + "\n");
        listener.row(table, row);
    }

    private static String text(Object value) {
        return value instanceof Double number ? rounded(number, 4) : String.valueOf(value);
    }

    /** Some hundred a second are written beside the searches: a formatter would read its pattern for each. */
    private static String rounded(double number, int decimals) {
        return Double.isFinite(number)
                ? BigDecimal.valueOf(number)
                        .setScale(decimals, RoundingMode.HALF_UP)
                        .toPlainString()
                : String.valueOf(number);
    }

    /** Hands the rows to the system, for those who read along. */
    public void flush() {
        file.flush();
    }

    /** Closes the file. @throws IOException if something could not be written */
    @Override
    public void close() throws IOException {
        RunWriter.close(file, table);
    }
}
