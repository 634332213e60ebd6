package siemload.results.report;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.results.MicrosSummary;
import siemload.results.ResultValue;

/**
 * Rows of cells under titles. In text each column is as wide as its widest cell, and what is wider than a terminal goes on below
 * it. Used by one thread.
 */
public final class Table implements Report.Block {
    private static final int WIDTH = 112;
    private static final String GAP = "  ";
    private static final Pattern IN_BRACES = Pattern.compile("\\{([^ }]*)(?: @([^}]*))?}");

    private final List<String> titles = new ArrayList<>();
    private final List<Boolean> left = new ArrayList<>();
    private final List<List<Cell>> rows = new ArrayList<>();
    private final Map<Integer, Double> weights = new HashMap<>();
    private String intro = "";
    private String note = "";
    private String what = "rows";
    private int totals;

    private Table() {}

    /**
     * One cell.
     *
     * @param below what stands below it in small letters, as an interval; empty mostly
     * @param mark {@code good} or {@code bad} where it has that colour on a page; empty mostly
     */
    public record Cell(String text, String below, String mark) {
        static Cell of(String text) {
            return new Cell(text, "", "");
        }

        @JsonValue
        Object onPage() {
            return below.isEmpty() && mark.isEmpty() ? text : List.of(text, below, mark);
        }
    }

    /** An empty table. The first column is on the left, as is each whose title begins with {@code <}; all others are on the right. */
    public static Table titled(String... titles) {
        Table table = new Table();
        Arrays.stream(titles).forEach(table::add);
        return table;
    }

    private void add(String title) {
        column(title.replaceFirst("^<", ""), title.startsWith("<"));
    }

    private Table column(String title, boolean onTheLeft) {
        left.add(titles.isEmpty() || onTheLeft);
        titles.add(title);
        return this;
    }

    /** Adds a column of numbers, whatever its title begins with; before all rows. */
    public Table column(String title) {
        return column(title, false);
    }

    /** Adds a column of texts. */
    void leftColumn(String title) {
        column(title, true);
    }

    /** Adds the four columns of {@link Amounts#times}. */
    Table times(String of) {
        Stream.of("p50", "p95", "p99", "max").forEach(name -> column((of + " " + name).strip()));
        return this;
    }

    /**
     * A table of JSON objects with a row for each.
     *
     * @param columns {@code title = path @format} with semicolons between. A path with braces is a text with paths in it. Formats: {@code ms}
     *     of microseconds, {@code times} of a distribution, which are four columns, {@code %} of a share, {@code ratio} of one that is not
     *     known where it is 0, {@code B} of bytes, {@code 3} for three digits that mean something, {@code .2} for two behind the point, and
     *     {@code n} of whole numbers, and of texts, which is meant where there is none
     */
    static Table of(Iterable<JsonNode> objects, String columns) {
        Table table = new Table();
        List<Field> fields = Arrays.stream(columns.split(";"))
                .map(column -> column.strip().split("\\s*[=@]\\s*", -1))
                .map(parts -> new Field(parts[0], parts[1], parts.length > 2 ? parts[2] : "n"))
                .toList();
        for (Field field : fields) {
            if (field.format.equals("times")) {
                table.times(field.title);
            } else {
                table.add(field.title);
            }
        }
        for (JsonNode one : objects) {
            table.row(fields.stream().map(field -> field.of(one)).toList());
        }
        return table;
    }

    private record Field(String title, String path, String format) {
        Object of(JsonNode object) {
            return path.contains("{") ? filled(object, path).replaceFirst(", $", "") : Table.at(object, path, format);
        }
    }

    /** A text with figures of an object in it, as columns have them: {@code {path @format}}; without a format it is as the JSON has it. */
    static String filled(JsonNode object, String template) {
        return IN_BRACES.matcher(template).replaceAll(found -> {
            Object value = at(object, found.group(1), Objects.requireNonNullElse(found.group(2), "text"));
            return Matcher.quoteReplacement(String.valueOf(value));
        });
    }

    private static Object at(JsonNode object, String path, String format) {
        JsonNode value = object.at("/" + path.replace('.', '/'));
        if (value.isMissingNode() && !format.equals("times")) {
            return "";
        }
        return switch (format) {
            case "ms" -> Amounts.millis(value.asDouble());
            case "times" -> Amounts.times(ResultValue.value(value, MicrosSummary.class));
            case "%" -> Amounts.percent(value.asDouble());
            case "ratio" -> value.asDouble() == 0 ? Amounts.NONE : Amounts.digits(2, value.asDouble());
            case "B" -> Amounts.bytes(value.asDouble());
            case "3" -> Amounts.significant(value.asDouble());
            case "text" -> value.asText();
            case "n" -> value.isNumber() ? Amounts.whole(value.asDouble()) : value.asText();
            default -> Amounts.digits(Integer.parseInt(format.substring(1)), value.asDouble());
        };
    }

    /** What stands above it. */
    public Table intro(String text) {
        this.intro = text;
        return this;
    }

    /** What stands below it. */
    public Table note(String text) {
        this.note = text;
        return this;
    }

    /** What its rows are, where not all are shown. */
    Table of(String rowsOf) {
        this.what = rowsOf;
        return this;
    }

    /** Adds a row of cells, or of whatever else is text, or lists of these. */
    public Table row(Object... cells) {
        rows.add(cells(Arrays.asList(cells)));
        return this;
    }

    /** Adds a row of which the heavier ones are shown where there is not enough room for all. */
    Table weighted(double weight, Object... cells) {
        weights.put(rows.size(), weight);
        return row(cells);
    }

    /** Says that the last row is of all others together. */
    Table total() {
        totals++;
        return this;
    }

    private static List<Cell> cells(List<?> contents) {
        List<Cell> cells = new ArrayList<>();
        for (Object content : contents) {
            if (content instanceof List<?> several) {
                cells.addAll(cells(several));
            } else {
                cells.add(content instanceof Cell cell ? cell : Cell.of(String.valueOf(content)));
            }
        }
        return cells;
    }

    @Override
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The rows that are shown of these, by their numbers: those of all others, and of the rest the heaviest. */
    private List<Integer> shown(int most) {
        List<Integer> single = IntStream.range(0, rows.size() - totals).boxed().toList();
        Comparator<Integer> weight = Comparator.comparingDouble(row -> -weights.getOrDefault(row, 0.0));
        List<Integer> shown = new ArrayList<>(single.stream()
                .sorted(weight)
                .limit(Math.max(0, most - totals))
                .sorted()
                .toList());
        IntStream.range(rows.size() - totals, rows.size()).forEach(shown::add);
        return shown;
    }

    /** Rows of text, all on the left; no line break at the end. */
    public static String of(List<List<String>> rows) {
        Table table = new Table();
        rows.get(0).forEach(table::leftColumn);
        rows.stream().skip(1).forEach(row -> table.row(row));
        return table.lines();
    }

    /** The titles and all rows for a terminal, without what stands above and below; no line break at the end. */
    public String lines() {
        return String.join("\n", block(widths(), allColumns(), shown(Integer.MAX_VALUE), true));
    }

    private List<Integer> allColumns() {
        return IntStream.range(0, titles.size()).boxed().toList();
    }

    /**
     * For a terminal, ending with a line break.
     *
     * @param most how many rows are shown; where that leaves out some, so are columns for which there is no room
     */
    String text(int most) {
        List<Integer> shown = shown(most);
        boolean isShort = most < Integer.MAX_VALUE;
        StringBuilder text = new StringBuilder(Report.wrapped(intro));
        int[] widths = widths();
        List<Integer> behind = new ArrayList<>(allColumns());
        behind.remove(0);
        do {
            block(widths, fitting(widths, behind), shown, !isShort)
                    .forEach(line -> text.append(line).append('\n'));
        } while (!behind.isEmpty() && !isShort);
        more(text, rows.size() - shown.size(), what);
        more(text, behind.size(), "figures");
        return text + (isShort ? "" : Report.wrapped(note));
    }

    static void more(StringBuilder text, int number, String what) {
        if (number > 0) {
            text.append("and ").append(number).append(" more ").append(what).append(" in the report\n");
        }
    }

    /** Takes columns as long as there is room, or as they are texts; the first one names the rows and is always there. */
    private List<Integer> fitting(int[] widths, List<Integer> from) {
        List<Integer> columns = new ArrayList<>(List.of(0));
        int width = widths[0];
        while (!from.isEmpty()
                && (columns.size() == 1
                        || left.get(from.get(0))
                        || width + GAP.length() + widths[from.get(0)] <= WIDTH)) {
            width += GAP.length() + widths[from.get(0)];
            columns.add(from.remove(0));
        }
        return columns;
    }

    private int[] widths() {
        int[] widths = titles.stream().mapToInt(String::length).toArray();
        for (List<Cell> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                Cell cell = row.get(i);
                widths[i] = Math.max(widths[i], Math.max(cell.text.length(), cell.below.length()));
            }
        }
        return widths;
    }

    private List<String> block(int[] widths, List<Integer> columns, List<Integer> shown, boolean isWhole) {
        List<String> lines = new ArrayList<>();
        lines.add(line(widths, columns, titles));
        for (int number : shown) {
            List<Cell> row = rows.get(number);
            lines.add(line(widths, columns, row.stream().map(Cell::text).toList()));
            List<String> below = new ArrayList<>(row.stream().map(Cell::below).toList());
            if (isWhole
                    && columns.stream().anyMatch(column -> !below.get(column).isEmpty())) {
                below.set(0, "  95 %");
                lines.add(line(widths, columns, below));
            }
        }
        return lines;
    }

    private String line(int[] widths, List<Integer> columns, List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int column : columns) {
            String blanks =
                    " ".repeat(Math.max(0, widths[column] - cells.get(column).length()));
            line.append(left.get(column) ? cells.get(column) + blanks : blanks + cells.get(column));
            line.append(GAP);
        }
        return line.toString().stripTrailing();
    }

    /** As Markdown. */
    String markdown() {
        StringBuilder text = new StringBuilder(intro.isEmpty() ? "" : Report.escaped(intro) + "\n\n");
        text.append(markdown(titles)).append("|");
        left.forEach(side -> text.append(side ? " --- |" : " ---: |"));
        text.append('\n');
        rows.forEach(row -> text.append(markdown(row.stream()
                .map(cell -> cell.text + (cell.below.isEmpty() ? "" : " (" + cell.below + ")"))
                .toList())));
        text.append('\n');
        note.lines()
                .forEach(line -> text.append("- ").append(Report.escaped(line)).append('\n'));
        return text.append(note.isEmpty() ? "" : "\n").toString();
    }

    private static String markdown(List<String> cells) {
        return cells.stream().map(Report::escaped).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    /**
     * As the page takes it.
     *
     * @param columns title, and {@code text} where it is one
     */
    private record OnPage(
            String intro,
            String note,
            int totals,
            boolean sortable,
            List<List<String>> columns,
            List<List<Cell>> table) {}

    @JsonValue
    OnPage onPage() {
        List<List<String>> columns = allColumns().stream()
                .map(column -> List.of(titles.get(column), left.get(column) ? "text" : ""))
                .toList();
        return new OnPage(intro, note, totals, !weights.isEmpty(), columns, rows);
    }
}
