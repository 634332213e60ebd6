package siemload.scenario;

import java.io.IOException;
import java.io.Reader;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.simpleflatmapper.lightningcsv.CsvParser;
import siemload.config.Choices;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;
import siemload.query.StatementText.Piece;
import siemload.scenario.replay.RecordedPlan;

/**
 * Reads the statements of a scenario.
 *
 * @param directory of the scenario, beside which files of values lie
 */
record StatementsReader(ValueLog log, Path directory) {
    private static final String WAYS =
            "[1, 2, 3], {from: 1, to: 9}, {file: values.csv, column: name} or {query: SELECT ...}";
    private static final ValueType<String> VALUE = ValueType.of("a value", "", text -> text);

    /** Reads all of them, in the order of the file. */
    List<StatementPlan> read(YamlNode node) {
        List<StatementPlan> statements = new ArrayList<>();
        node.entries().forEach((key, written) -> {
            Optional<String> refusal = SearchName.refusal(key);
            if (refusal.isPresent()) {
                node.problemWithKey(key, refusal.orElseThrow());
            } else if (SearchName.builtIn().contains(new SearchName(key))) {
                node.problemWithKey(key, "is the name of a search that siemload brings (take another one)");
            } else {
                statements.add(statement(new SearchName(key), written));
            }
        });
        if (node.isMapping() && node.entries().isEmpty()) {
            node.problem("is empty (needed: at least one statement)");
        }
        return statements;
    }

    private StatementPlan statement(SearchName name, YamlNode node) {
        WrittenStatement asked = WrittenStatement.of(log, node.required("sql"));
        StatementText text = asked.text();
        ValueRows rows = node.optional("rows").map(given -> rows(given, text)).orElse(ValueRows.NONE);
        Optional<YamlNode> written = node.optional("values");
        Map<String, StatementValues> values = new LinkedHashMap<>();
        written.ifPresent(given -> given.entries().forEach((parameter, source) -> {
            if (rows.parameters().contains(parameter)) {
                given.problemWithKey(
                        parameter, ":" + parameter + " has its values from a column of rows (leave it out)");
            } else if (text.parameters().contains(parameter)) {
                values.put(parameter, values(source));
            } else {
                String known = text.parameters().isEmpty() ? "it has none" : "it has " + shown(text.parameters());
                given.problemWithKey(parameter, "the statement has no parameter :" + parameter + " (" + known + ")");
            }
        }));
        requireValues(asked, values, rows);
        boolean writes = node.optional("writes")
                .map(given -> log.value(given, ValueType.trueOrFalse()))
                .orElse(false);
        Statement.Effect effect = writes ? Statement.Effect.WRITES : Statement.Effect.READS;
        return new StatementPlan(
                new Statement(name, text, effect),
                values,
                rows,
                node.optional("then").map(StatementThenReader::read));
    }

    private ValueRows rows(YamlNode node, StatementText text) {
        String name = log.value(node, ValueType.text());
        try {
            return name.isEmpty() ? ValueRows.NONE : new ValuesFile(directory).rows(name, text.parameters());
        } catch (IllegalArgumentException unreadable) {
            node.problem(String.valueOf(unreadable.getMessage()));
            return ValueRows.NONE;
        }
    }

    private static void requireValues(WrittenStatement asked, Map<String, StatementValues> values, ValueRows rows) {
        for (StatementText.Piece.Parameter place : asked.places()) {
            if (!values.containsKey(place.name()) && !rows.parameters().contains(place.name())) {
                asked.problemAt(
                        place.offset(),
                        ":" + place.name() + " has no values (give them by values: {" + place.name() + ": ...}, as "
                                + WAYS + ")");
                values.put(place.name(), new StatementValues.Listed(List.of("")));
            }
        }
    }

    private static String shown(List<String> parameters) {
        return ":" + String.join(", :", parameters);
    }

    /** Reads where the values of a parameter come from. */
    StatementValues values(YamlNode node) {
        if (node.isList()) {
            return listed(
                    node, node.elements().stream().map(value -> value.as(VALUE)).toList());
        }
        if (!node.isMapping()) {
            node.problem("is no source of values (allowed: " + WAYS + ")");
            return new StatementValues.Listed(List.of(""));
        }
        for (String key : List.of("query", "file", "column", "from", "to")) {
            Optional<YamlNode> unused = node.optional(key);
        }
        if (node.optional("query").isPresent()) {
            return asked(node);
        }
        return node.optional("file").isPresent() ? ofFile(node) : range(node);
    }

    private StatementValues listed(YamlNode node, List<String> values) {
        log.put(node.path(), values.size() + " values", node.origin());
        if (values.isEmpty()) {
            node.problem("is empty (needed: at least one value)");
        }
        return new StatementValues.Listed(values.isEmpty() ? List.of("") : values);
    }

    private StatementValues asked(YamlNode node) {
        refuse(node, "query", List.of("file", "column", "from", "to"));
        WrittenStatement query = WrittenStatement.of(log, node.required("query"));
        for (StatementText.Piece.Parameter place : query.places()) {
            query.problemAt(place.offset(), "a query for values has no parameters, but here stands :" + place.name());
        }
        return new StatementValues.Asked(query.text().written());
    }

    private StatementValues ofFile(YamlNode node) {
        refuse(node, "file", List.of("from", "to"));
        YamlNode file = node.required("file");
        String name = log.value(file, ValueType.text());
        String column = node.optional("column")
                .map(given -> log.value(given, ValueType.text()))
                .orElse("");
        try {
            List<String> values = name.isEmpty() ? List.of("") : new ValuesFile(directory).read(name, column);
            if (values.isEmpty()) {
                file.problem("has no row of values below the names of its columns");
            }
            return new StatementValues.Listed(values.isEmpty() ? List.of("") : values);
        } catch (IllegalArgumentException unreadable) {
            file.problem(String.valueOf(unreadable.getMessage()));
            return new StatementValues.Listed(List.of(""));
        }
    }

    /** Numbers, days or instants: which of them shows in what is written. */
    private StatementValues range(YamlNode node) {
        refuse(node, "from and to", List.of("column"));
        YamlNode from = node.required("from");
        YamlNode to = node.required("to");
        String first = log.value(from, VALUE);
        String last = log.value(to, VALUE);
        Optional<StatementValues> range =
                numbers(first, last).or(() -> days(first, last)).or(() -> instants(first, last));
        if (range.isEmpty() && !from.written().isEmpty() && !to.written().isEmpty()) {
            to.problem("'" + first + "' to '" + last + "' is no range (allowed: two whole numbers, two days such as"
                    + " 2024-02-29, or two instants such as 2024-02-29T12:00:00Z, the second not below the first)");
        }
        return range.orElseGet(() -> new StatementValues.Listed(List.of("")));
    }

    private static Optional<StatementValues> numbers(String first, String last) {
        String number = "[+-]?[0-9]{1,18}(_[0-9]{1,3})*";
        if (!first.matches(number) || !last.matches(number)) {
            return Optional.empty();
        }
        BigInteger from = new BigInteger(first.replace("_", ""));
        BigInteger to = new BigInteger(last.replace("_", ""));
        boolean fits = to.compareTo(from) >= 0
                && to.subtract(from).bitLength() < 62
                && from.bitLength() < 63
                && to.bitLength() < 63;
        return fits
                ? Optional.of(new StatementValues.WholeNumbers(from.longValueExact(), to.longValueExact()))
                : Optional.empty();
    }

    private static Optional<StatementValues> days(String first, String last) {
        try {
            LocalDate from = LocalDate.parse(first);
            LocalDate to = LocalDate.parse(last);
            return to.isBefore(from) ? Optional.empty() : Optional.of(new StatementValues.Days(from, to));
        } catch (DateTimeException other) {
            return Optional.empty();
        }
    }

    private static Optional<StatementValues> instants(String first, String last) {
        try {
            Instant from = OffsetDateTime.parse(first).toInstant();
            Instant to = OffsetDateTime.parse(last).toInstant();
            return to.isBefore(from) ? Optional.empty() : Optional.of(new StatementValues.Instants(from, to));
        } catch (DateTimeException other) {
            return Optional.empty();
        }
    }

    private static void refuse(YamlNode node, String source, List<String> keys) {
        for (String key : keys) {
            node.optional(key)
                    .ifPresent(beside -> beside.problem("cannot stand beside " + source + " (leave one out)"));
        }
    }

    /**
     * The text of a statement where a scenario has it. Immutable but for the problems that it notes.
     *
     * @param text what there is of it, also where that is not a whole statement
     */
    private record WrittenStatement(YamlNode node, StatementText text) {

        /** Reads a text of SQL. */
        static WrittenStatement of(ValueLog log, YamlNode node) {
            String written = log.value(node, ValueType.text());
            StatementText.Scanned scanned = StatementText.scan(written);
            WrittenStatement statement = new WrittenStatement(node, scanned.statement());
            scanned.flaw()
                    .filter(flaw -> !written.isEmpty())
                    .ifPresent(flaw -> statement.problemAt(flaw.offset(), flaw.message()));
            return statement;
        }

        /** The places of its parameters, in the order of the text. */
        List<Piece.Parameter> places() {
            return text.pieces().stream()
                    .filter(Piece.Parameter.class::isInstance)
                    .map(Piece.Parameter.class::cast)
                    .toList();
        }

        /** Notes that something is wrong with it, at this character of a text. */
        void problemAt(int offset, String message) {
            node.problemAt(offset, message);
        }
    }

    /** Reads what stands under {@code then} of a statement. Stateless. */
    private static final class StatementThenReader {
        private static final long MOST_MICROS = Long.MAX_VALUE / 1_000_000;

        private StatementThenReader() {}

        static StatementThen read(YamlNode node) {
            return new StatementThen(
                    logged(node.required("micros")),
                    node.optional("plans").map(StatementThenReader::plans).orElse(List.of()));
        }

        private static StatementThen.Logged logged(YamlNode times) {
            return new StatementThen.Logged(
                    micros(times, "min"),
                    times.required("mean").number(0, MOST_MICROS),
                    micros(times, "p50"),
                    micros(times, "p90"),
                    micros(times, "p95"),
                    micros(times, "p99"),
                    micros(times, "p999"),
                    micros(times, "max"));
        }

        private static long micros(YamlNode times, String figure) {
            return times.required(figure).wholeNumber(0L, MOST_MICROS);
        }

        private static List<RecordedPlan> plans(YamlNode node) {
            List<RecordedPlan> plans = new ArrayList<>();
            for (YamlNode plan : node.elements()) {
                plans.add(new RecordedPlan(
                        plan.required("shape").text(), plan.required("count").wholeNumber(1L, Long.MAX_VALUE), ""));
            }
            if (plans.size() > RecordedPlan.MOST) {
                node.problem("has " + plans.size() + " plans (allowed: at most " + RecordedPlan.MOST + ")");
            }
            return plans;
        }
    }

    /**
     * Values in a CSV file (RFC 4180, UTF-8) whose first line has the names of the columns.
     *
     * @param directory of the scenario
     */
    private record ValuesFile(Path directory) {
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
                List<String> header = lines.hasNext()
                        ? Stream.of(lines.next()).map(String::strip).toList()
                        : List.of();
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
}
