package siemload.cli;

import java.util.List;
import java.util.stream.Collectors;

/** Columns of text, each as wide as its widest cell. Stateless. */
final class Table {
    private static final int GAP = 2;

    private Table() {}

    /** The rows, one a line, without a line break at the end; all have equally many cells. */
    static String of(List<List<String>> rows) {
        int columns = rows.isEmpty() ? 0 : rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).collect(Collectors.joining("\n"));
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            line.append(row.get(i));
            line.append(" ".repeat(widths[i] - row.get(i).length() + GAP));
        }
        return line.toString().stripTrailing();
    }
}
