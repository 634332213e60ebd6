package siemload.scenario;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.simpleflatmapper.lightningcsv.CsvParser;
import siemload.config.Choices;

/**
 * Values in a CSV file (RFC 4180, UTF-8) whose first line has the names of the columns.
 *
 * @param directory of the scenario
 */
record ValuesFile(Path directory) {
    private static final long MOST_BYTES = 50_000_000;
    private static final int MOST_VALUES = 1_000_000;

    /**
     * The values of a column, in the order of the file.
     *
     * @param column the only one where it is empty
     * @throws IllegalArgumentException with a message for people if they cannot be had
     */
    List<String> read(String name, String column) {
        Path file = find(name);
        try (Reader reader = Files.newBufferedReader(file)) {
            List<String> values = new ArrayList<>();
            int index = -1;
            for (String[] row : CsvParser.reader(reader)) {
                boolean blank = Stream.of(row).allMatch(String::isBlank);
                if (index < 0) {
                    index = index(List.of(row), column);
                } else if (!blank) {
                    values.add(value(row, index, values.size()));
                }
            }
            return values;
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("cannot be read as text in UTF-8: " + unreadable, unreadable);
        }
    }

    /**
     * The rows of a file that has columns for some parameters.
     *
     * @param parameters those of the statement; other columns are left alone
     * @throws IllegalArgumentException with a message for people if they cannot be had
     */
    ValueRows rows(String name, List<String> parameters) {
        Path file = find(name);
        try (Reader reader = Files.newBufferedReader(file)) {
            Iterator<String[]> lines = CsvParser.reader(reader).iterator();
            List<String> header =
                    lines.hasNext() ? Stream.of(lines.next()).map(String::strip).toList() : List.of();
            List<String> columns =
                    header.stream().filter(parameters::contains).distinct().toList();
            if (columns.isEmpty()) {
                throw new IllegalArgumentException("has no column with the name of a parameter ("
                        + Choices.names(parameters).help("") + ")");
            }
            List<List<String>> rows = new ArrayList<>();
            while (lines.hasNext()) {
                String[] row = lines.next();
                boolean blankLine = header.size() > 1 && row.length == 1 && row[0].isBlank();
                if (!blankLine) {
                    int before = rows.size();
                    rows.add(columns.stream()
                            .map(column -> value(row, header.indexOf(column), before))
                            .toList());
                }
            }
            if (rows.isEmpty()) {
                throw new IllegalArgumentException("has no row of values below the names of its columns");
            }
            return new ValueRows(columns, rows);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("cannot be read as text in UTF-8: " + unreadable, unreadable);
        }
    }

    private Path find(String name) {
        Path file = FileBeside.find(directory, name);
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IllegalArgumentException(file + " has more than 50 MB");
            }
            return file;
        } catch (IOException unusable) {
            throw new IllegalArgumentException("'" + name + "' cannot be read: " + unusable.getMessage(), unusable);
        }
    }

    private static int index(List<String> header, String column) {
        List<String> names = header.stream().map(String::strip).toList();
        if (column.isEmpty() && names.size() == 1) {
            return 0;
        }
        int index = names.indexOf(column);
        if (index < 0) {
            String found =
                    column.isEmpty() ? "has several columns: name one by column" : "has no column '" + column + "'";
            throw new IllegalArgumentException(
                    found + " (" + Choices.names(names).help(column) + ")");
        }
        return index;
    }

    private static String value(String[] row, int index, int before) {
        if (index >= row.length) {
            throw new IllegalArgumentException("row " + (before + 1) + " has too few columns");
        }
        if (before >= MOST_VALUES) {
            throw new IllegalArgumentException("has more than " + MOST_VALUES + " rows");
        }
        return row[index];
    }
}
