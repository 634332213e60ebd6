package siemload.results.report;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.results.MicrosSummary;
import siemload.results.ResultValue;

/**
 * A table of a report. In text, each column is as wide as its widest cell, and columns that do not fit on a terminal continue below. Used
 * by one thread.
 */
public final class Table implements Report.Block {
    private static final int WIDTH = 112;
    private static final String GAP = "  ";
    private static final Pattern OPTIONAL = Pattern.compile("\\[([^\\]]*)]");
    private static final Pattern IN_BRACES = Pattern.compile("\\{([^ }]*)(?: @([^}]*))?}");

    private final List<Column> columns = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private String intro = "";
    private String note = "";
    private String what = "rows";

    private Table() {}

    /**
     * One cell of a table.
     *
     * @param below small text below the cell, such as an interval; usually empty
     * @param mark {@code good} or {@code bad} for the colour of the cell on a page; usually empty
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

    private record Column(String title, boolean isText) {}

    /** @param weight the row's weight for the choice of rows to show; 0 if it is unknown */
    private record Row(List<Cell> cells, double weight, boolean isTotal) {}

    /** Makes an empty table. The first column, and each with {@code <} before its title, is aligned left, all others right. */
    public static Table titled(String... titles) {
        Table table = new Table();
        Arrays.stream(titles).forEach(table::add);
        return table;
    }

    private void add(String title) {
        columns.add(new Column(title.replaceFirst("^<", ""), columns.isEmpty() || title.startsWith("<")));
    }

    /**
     * Makes a table with a row for each JSON object. If not all rows fit, those with the largest {@code weight} are shown; {@code total}
     * marks a row that sums up other rows.
     *
     * @param columns {@code title = path @format} with semicolons between. A path with braces is a text that has paths in braces. Formats:
     *     {@code ms} for microseconds, {@code times} for a distribution in four columns, {@code bare} for a distribution without intervals,
     *     {@code %} for a share, {@code ratio} for a ratio where 0 means unknown, {@code B} for bytes, {@code 3} for three significant
     *     digits, {@code .2} for two decimals, {@code bad} for a number that should be 0, and {@code n}, the default, for whole numbers,
     *     lengths of lists, and texts
     */
    static Table of(Iterable<JsonNode> objects, String columns) {
        Table table = new Table();
        List<Field> fields = Arrays.stream(columns.split(";"))
                .map(column -> column.strip().split("\\s*[=@]\\s*", -1))
                .map(parts -> new Field(parts[0], parts[1], parts.length > 2 ? parts[2] : "n"))
                .toList();
        for (Field field : fields) {
            for (String name : field.isOfTimes() ? Amounts.TIMES : List.of("")) {
                table.add((field.title + " " + name).strip());
            }
        }
        for (JsonNode one : objects) {
            List<Cell> cells = cells(fields.stream().map(field -> field.of(one)).toList());
            boolean isTotal = one.path("total").asBoolean();
            table.rows.add(new Row(cells, one.path("weight").asDouble(), isTotal));
        }
        return table;
    }

    private record Field(String title, String path, String format) {
        boolean isOfTimes() {
            return format.equals("times") || format.equals("bare");
        }

        Object of(JsonNode object) {
            return path.contains("{") ? filled(object, path).replaceFirst(", $", "") : shown(at(object, path));
        }

        Object shown(JsonNode value) {
            if (isOfTimes()) {
                MicrosSummary times = ResultValue.value(value, MicrosSummary.class);
                return Amounts.times(format.equals("times") ? times : times.with(Map.of()));
            }
            return value.isMissingNode()
                    ? ""
                    : switch (format) {
                        case "ms" -> Amounts.millis(value.asDouble());
                        case "%" -> Amounts.percent(value.asDouble());
                        case "ratio" -> value.asDouble() == 0 ? Amounts.NONE : Amounts.digits(2, value.asDouble());
                        case "B" -> Amounts.bytes(value.asDouble());
                        case "3" -> Amounts.significant(value.asDouble());
                        case "text" -> value.asText();
                        case "bad" -> new Cell(Amounts.whole(value.asDouble()), "", value.asDouble() > 0 ? "bad" : "");
                        case "n" ->
                            value.isTextual()
                                    ? value.asText()
                                    : Amounts.whole(value.isNumber() ? value.asDouble() : (double) value.size());
                        default -> Amounts.digits(Integer.parseInt(format.substring(1)), value.asDouble());
                    };
        }
    }

    /**
     * Returns a text with figures of an object filled in, written as in columns: {@code {path @format}}. A figure without a format is shown
     * as in the JSON. Text in brackets is left out if its first figure is missing.
     */
    static String filled(JsonNode object, String template) {
        String wanted = OPTIONAL.matcher(template).replaceAll(found -> {
            Matcher figure = IN_BRACES.matcher(found.group(1));
            return Matcher.quoteReplacement(
                    figure.find() && isThere(at(object, figure.group(1))) ? found.group(1) : "");
        });
        return IN_BRACES.matcher(wanted).replaceAll(found -> {
            Field field = new Field("", found.group(1), Objects.requireNonNullElse(found.group(2), "text"));
            return Matcher.quoteReplacement(String.valueOf(field.shown(at(object, field.path))));
        });
    }

    static JsonNode at(JsonNode object, String path) {
        return path.isEmpty() ? object : object.at("/" + path.replace('.', '/'));
    }

    /** Returns whether a value is neither missing, empty, false nor 0. */
    static boolean isThere(JsonNode value) {
        return value.isContainerNode()
                ? !value.isEmpty()
                : value.isTextual() ? !value.asText().isEmpty() : value.asDouble() != 0 || value.asBoolean();
    }

    /** Sets the text above the table. */
    public Table intro(String text) {
        this.intro = text;
        return this;
    }

    /** Sets the text below the table. */
    public Table note(String text) {
        this.note = text;
        return this;
    }

    /** Sets the noun for rows that are left out if not all rows are shown. */
    Table of(String rowsOf) {
        this.what = rowsOf;
        return this;
    }

    /** Adds a row of cells or texts; a list of these adds several. */
    public Table row(Object... cells) {
        rows.add(new Row(cells(Arrays.asList(cells)), 0, false));
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

    /** Returns the rows to show: all totals, and the rows with the largest weights. */
    private List<Row> shown(int most) {
        List<Row> shown = new ArrayList<>(rows);
        rows.stream()
                .sorted(Comparator.comparing(Row::isTotal)
                        .thenComparing(Row::weight)
                        .reversed())
                .skip(most)
                .forEach(shown::remove);
        return shown;
    }

    /** Returns rows of texts as a table with all columns aligned to the left, without a line feed at the end. */
    public static String of(List<List<String>> rows) {
        Table table = titled(rows.get(0).stream().map(title -> "<" + title).toArray(String[]::new));
        rows.stream().skip(1).forEach(row -> table.row(row));
        return table.lines();
    }

    /** Returns the titles and all rows for a terminal, without the texts above and below and without a line feed at the end. */
    public String lines() {
        return String.join("\n", block(widths(), allColumns(), rows, true));
    }

    private List<Integer> allColumns() {
        return new ArrayList<>(IntStream.range(0, columns.size()).boxed().toList());
    }

    /**
     * Returns the table for a terminal, ending with a line feed.
     *
     * @param most the largest number of rows; if the number is limited, columns that do not fit are also left out
     */
    @Override
    public String text(int most) {
        List<Row> shown = shown(most);
        boolean isShort = most < Integer.MAX_VALUE;
        StringBuilder text = new StringBuilder(Report.wrapped(intro));
        int[] widths = widths();
        List<Integer> behind = allColumns();
        behind.remove(0);
        do {
            block(widths, fitting(widths, behind), shown, !isShort)
                    .forEach(line -> text.append(line).append('\n'));
        } while (!behind.isEmpty() && !isShort);
        String rest = more(rows.size() - shown.size(), what) + more(behind.size(), "figures");
        return text + rest + (isShort ? "" : Report.wrapped(note));
    }

    static String more(int number, String what) {
        return number == 0 ? "" : "and " + number + " more " + what + " in the report\n";
    }

    /** Takes columns from the list until a column of numbers does not fit. The first column, which names the rows, is always shown. */
    private List<Integer> fitting(int[] widths, List<Integer> from) {
        List<Integer> fitting = new ArrayList<>(List.of(0));
        int width = widths[0];
        while (!from.isEmpty()) {
            int next = from.get(0);
            width += GAP.length() + widths[next];
            if (width > WIDTH && fitting.size() > 1 && !columns.get(next).isText) {
                break;
            }
            fitting.add(from.remove(0));
        }
        return fitting;
    }

    private int[] widths() {
        int[] widths =
                columns.stream().mapToInt(column -> column.title.length()).toArray();
        for (Row row : rows) {
            for (int i = 0; i < widths.length; i++) {
                Cell cell = row.cells.get(i);
                widths[i] = Math.max(widths[i], Math.max(cell.text.length(), cell.below.length()));
            }
        }
        return widths;
    }

    private List<String> block(int[] widths, List<Integer> chosen, List<Row> shown, boolean isWhole) {
        List<String> lines = new ArrayList<>(List.of(line(widths, chosen, index -> columns.get(index).title)));
        for (Row row : shown) {
            lines.add(line(widths, chosen, index -> row.cells.get(index).text));
            if (isWhole
                    && chosen.stream()
                            .anyMatch(index -> !row.cells.get(index).below.isEmpty())) {
                lines.add(line(widths, chosen, index -> index == 0 ? "  95 %" : row.cells.get(index).below));
            }
        }
        return lines;
    }

    private String line(int[] widths, List<Integer> chosen, IntFunction<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int index : chosen) {
            String cell = cells.apply(index);
            String blanks = " ".repeat(Math.max(0, widths[index] - cell.length()));
            line.append(columns.get(index).isText ? cell + blanks : blanks + cell)
                    .append(GAP);
        }
        return line.toString().stripTrailing();
    }

    /** Returns the table as Markdown. */
    @Override
    public String markdown() {
        StringBuilder text = new StringBuilder(intro.isEmpty() ? "" : Report.escaped(intro) + "\n\n");
        text.append(markdown(columns.stream().map(Column::title))).append("|");
        columns.forEach(column -> text.append(column.isText ? " --- |" : " ---: |"));
        text.append('\n');
        rows.forEach(row -> text.append(markdown(
                row.cells.stream().map(cell -> cell.text + (cell.below.isEmpty() ? "" : " (" + cell.below + ")")))));
        text.append('\n');
        note.lines()
                .forEach(line -> text.append("- ").append(Report.escaped(line)).append('\n'));
        return text.append(note.isEmpty() ? "" : "\n").toString();
    }

    private static String markdown(Stream<String> cells) {
        return cells.map(Report::escaped).collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    @JsonValue
    Map<String, Object> onPage() {
        return Map.of(
                "intro", intro,
                "note", note,
                "totals", rows.stream().filter(Row::isTotal).count(),
                "sortable", rows.stream().anyMatch(row -> row.weight > 0),
                "columns",
                        columns.stream()
                                .map(column -> List.of(column.title, column.isText ? "text" : ""))
                                .toList(),
                "table", rows.stream().map(Row::cells).toList());
    }
}
