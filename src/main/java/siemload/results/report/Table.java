package siemload.results.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** Columns of text, each as wide as its widest cell. Stateless and thread-safe. */
public final class Table {
    private static final int GAP = 2;

    private Table() {}

    /** On which side the cells of a column begin or end together. */
    public enum Side {
        LEFT,
        RIGHT
    }

    /** The rows, one a line, without a line break at the end; all have equally many cells, whose columns are left-aligned. */
    public static String of(List<List<String>> rows) {
        return of(
                rows.stream()
                        .limit(1)
                        .flatMap(row -> row.stream().map(cell -> Side.LEFT))
                        .toList(),
                rows);
    }

    /** A table whose columns are aligned to these sides. */
    public static String of(List<Side> sides, List<List<String>> rows) {
        int[] widths = new int[sides.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return rows.stream().map(row -> line(row, sides, widths)).collect(Collectors.joining("\n"));
    }

    /**
     * Rows of which the first one has the titles, for a terminal; numbers are in the middle.
     *
     * @param last the side of the last column
     */
    static String text(List<List<String>> rows, Side last, List<String> legend) {
        if (rows.isEmpty()) {
            return "";
        }
        List<Side> sides = new ArrayList<>(Collections.nCopies(rows.get(0).size(), Side.RIGHT));
        sides.set(0, Side.LEFT);
        sides.set(sides.size() - 1, last);
        StringBuilder text = new StringBuilder("\n");
        text.append(of(sides, rows)).append('\n');
        legend.forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    private static String line(List<String> row, List<Side> sides, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String blanks = " ".repeat(widths[i] - row.get(i).length());
            line.append(sides.get(i) == Side.LEFT ? row.get(i) + blanks : blanks + row.get(i));
            line.append(" ".repeat(GAP));
        }
        return line.toString().stripTrailing();
    }
}
