package siemload.live;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A CSV file with a header, without quotes, that grows. Used by one thread at a time. */
final class GrowingTable {
    private final GrowingFile file;
    private String[] columns = {};

    GrowingTable(Path path) {
        this.file = new GrowingFile(path);
    }

    /** The rows that were added since the last call, their cells by column; a row that does not fit is passed over. */
    List<Map<String, String>> newRows() throws IOException {
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : file.newLines()) {
            String[] cells = line.split(",", -1);
            if (columns.length == 0) {
                columns = cells;
            } else if (cells.length == columns.length) {
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 0; i < cells.length; i++) {
                    row.put(columns[i], cells[i]);
                }
                rows.add(row);
            }
        }
        return rows;
    }
}
