package siemload.results.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.results.report.Table.Side;

/** The most memory that the database said it held, as text. Stateless. */
final class MemoryTable {
    private static final double BYTES_OF_MEGABYTE = 1e6;

    private MemoryTable() {}

    /** Of the most by its own names; empty where it does not tell. */
    static String text(Map<String, Long> bytesMax) {
        if (bytesMax.isEmpty()) {
            return "";
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("most memory, as the database tells it", "MB"));
        bytesMax.forEach((name, bytes) ->
                rows.add(List.of(name, String.format(Locale.ROOT, "%.1f", bytes / BYTES_OF_MEGABYTE))));
        return Table.of(List.of(Side.LEFT, Side.RIGHT), rows) + "\none may be a part of another\n\n";
    }
}
