package siemload.database.querylog;

import java.io.IOException;
import java.util.Iterator;
import org.simpleflatmapper.lightningcsv.CsvParser;

/** A row of CSV as PostgreSQL writes it, whose texts may have line ends: it has so many lines that each quote has a second one. Stateless. */
final class CsvRow {
    private CsvRow() {}

    /** How many quotes a line has. */
    static long quotes(String line) {
        return line.chars().filter(c -> c == '"').count();
    }

    /** The columns of a row; none of an empty text. */
    static String[] columns(String row) {
        Iterator<String[]> rows;
        try {
            rows = CsvParser.reader(row).iterator();
        } catch (IOException impossible) {
            throw new IllegalStateException("a text can always be read", impossible);
        }
        return rows.hasNext() ? rows.next() : new String[0];
    }
}
