package siemload.scenario;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.simpleflatmapper.lightningcsv.CsvParser;
import siemload.config.Choices;
import siemload.config.RegularFile;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
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
record StatementsReader(YamlRecords records, Path directory) {
    private static final String WAYS =
            "[1, 2, 3], {from: 1, to: 9}, {file: values.csv, column: name} or {query: SELECT ...}";
    private static final ValueType<String> VALUE = ValueType.of("a value", "", text -> text);

    /** What may stand beside the text of a statement, but for its values, which depend on its text. */
    private record Beside(Optional<Boolean> writes, Optional<StatementThen> then) {}

    private record LoggedPlan(
            String shape,
            @Key(allowed = "1 to 9223372036854775807") long count) {}

    private record OfFile(String file, Optional<String> column) {}

    /** Numbers, days or instants: which of them shows in what is written. */
    record Range(
            @Key(allowed = "value") String from,
            @Key(allowed = "value") String to) {
        Range {
            if (values(from, to).isEmpty()) {
                throw new Misfit(
                        "to",
                        "'" + from + "' to '" + to + "' is no range (allowed: two whole numbers, two days such as"
                                + " 2024-02-29, or two instants such as 2024-02-29T12:00:00Z, the second not below the"
                                + " first)");
            }
        }

        StatementValues values() {
            return values(from, to).orElseThrow();
        }

        private static Optional<StatementValues> values(String first, String last) {
            return numbers(first, last).or(() -> days(first, last)).or(() -> instants(first, last));
        }
    }

    StatementsReader {
        YamlRecords quiet = new YamlRecords(value -> {});
        quiet.reading(
                RecordedPlan.class,
                (node, type, allowed) -> quiet.record(node, LoggedPlan.class)
                        .map(plan -> new RecordedPlan(plan.shape(), plan.count())));
        records.with("value", VALUE)
                .reading(StatementThen.class, (node, type, allowed) -> quiet.record(node, StatementThen.class));
    }

    /** The names of the statements, good or bad. */
    static Map<String, SearchName> names(YamlNode statements) {
        Map<String, SearchName> names = new LinkedHashMap<>();
        statements.entries().keySet().stream()
                .filter(key -> SearchName.refusal(key).isEmpty())
                .forEach(key -> names.put(key, new SearchName(key)));
        return names;
    }

    /** Reads all of them, in the order of the file; empty where one is bad. */
    Optional<List<StatementPlan>> read(YamlNode node) {
        List<StatementPlan> statements = new ArrayList<>();
        node.entries().forEach((key, written) -> {
            Optional<String> refusal = SearchName.refusal(key);
            if (refusal.isPresent()) {
                node.problemWithKey(key, refusal.orElseThrow());
            } else if (SearchName.builtIn().contains(new SearchName(key))) {
                node.problemWithKey(key, "is the name of a search that siemload brings (take another one)");
            } else {
                statement(new SearchName(key), written).ifPresent(statements::add);
            }
        });
        if (node.isMapping() && node.entries().isEmpty()) {
            node.problem("is empty (needed: at least one statement)");
        }
        return statements.size() == node.entries().size() ? Optional.of(statements) : Optional.empty();
    }

    private Optional<StatementPlan> statement(SearchName name, YamlNode node) {
        YamlNode sql = node.required("sql");
        StatementText text = text(sql);
        ValueRows rows =
                node.optional("rows").flatMap(given -> rows(given, text)).orElse(ValueRows.NONE);
        Map<String, StatementValues> values = new LinkedHashMap<>();
        Set<String> given = new HashSet<>(rows.parameters());
        node.optional("values")
                .ifPresent(all -> all.entries().forEach((parameter, source) -> {
                    given.add(parameter);
                    if (rows.parameters().contains(parameter)) {
                        all.problemWithKey(
                                parameter, ":" + parameter + " has its values from a column of rows (leave it out)");
                    } else if (text.parameters().contains(parameter)) {
                        values(source).ifPresent(read -> values.put(parameter, read));
                    } else {
                        String known = text.parameters().isEmpty()
                                ? "it has none"
                                : "it has :" + String.join(", :", text.parameters());
                        all.problemWithKey(
                                parameter, "the statement has no parameter :" + parameter + " (" + known + ")");
                    }
                }));
        places(text)
                .filter(place -> !given.contains(place.name()))
                .forEach(place -> sql.problemAt(
                        place.offset(),
                        ":" + place.name() + " has no values (give them by values: {" + place.name() + ": ...}, as "
                                + WAYS + ")"));
        Optional<Beside> beside = records.record(node, Beside.class);
        boolean isWhole = Set.copyOf(text.parameters())
                .equals(Stream.concat(rows.parameters().stream(), values.keySet().stream())
                        .collect(Collectors.toSet()));
        return beside.filter(read -> isWhole).map(read -> {
            Statement.Effect effect = read.writes().orElse(false) ? Statement.Effect.WRITES : Statement.Effect.READS;
            return new StatementPlan(new Statement(name, text, effect), values, rows, read.then());
        });
    }

    /** What there is of a text of SQL, also where it is not a whole statement, which is noted. */
    private StatementText text(YamlNode node) {
        StatementText.Scanned scanned =
                StatementText.scan(records.value(node, ValueType.text()).orElse(""));
        scanned.flaw()
                .filter(flaw -> !node.written().isEmpty())
                .ifPresent(flaw -> node.problemAt(flaw.offset(), flaw.message()));
        return scanned.statement();
    }

    private static Stream<Piece.Parameter> places(StatementText text) {
        return text.pieces().stream().filter(Piece.Parameter.class::isInstance).map(Piece.Parameter.class::cast);
    }

    private Optional<ValueRows> rows(YamlNode node, StatementText text) {
        return records.value(node, ValueType.text())
                .flatMap(name -> ofFile(node, () -> new ValuesFile(directory).rows(name, text.parameters())));
    }

    private static <T> Optional<T> ofFile(YamlNode node, Supplier<T> reading) {
        try {
            return Optional.of(reading.get());
        } catch (IllegalArgumentException unreadable) {
            node.problem(String.valueOf(unreadable.getMessage()));
            return Optional.empty();
        }
    }

    /** Reads where the values of a parameter come from. */
    Optional<StatementValues> values(YamlNode node) {
        if (node.isList()) {
            List<String> values =
                    node.elements().stream().map(value -> value.as(VALUE)).toList();
            records.put(node, values.size() + " values");
            return listed(node, values, "is empty (needed: at least one value)");
        }
        if (!node.isMapping()) {
            node.problem("is no source of values (allowed: " + WAYS + ")");
            return Optional.empty();
        }
        if (node.peek("query").isPresent()) {
            YamlNode query = node.required("query");
            StatementText text = text(query);
            places(text)
                    .forEach(place -> query.problemAt(
                            place.offset(), "a query for values has no parameters, but here stands :" + place.name()));
            return text.parameters().isEmpty()
                    ? Optional.of(new StatementValues.Asked(text.written()))
                    : Optional.empty();
        }
        if (node.peek("file").isPresent()) {
            return records.record(node, OfFile.class)
                    .flatMap(of -> ofFile(
                            node.required("file"),
                            () -> new ValuesFile(directory)
                                    .read(of.file(), of.column().orElse(""))))
                    .flatMap(values -> listed(
                            node.required("file"), values, "has no row of values below the names of its columns"));
        }
        return records.record(node, Range.class).map(Range::values);
    }

    private Optional<StatementValues> listed(YamlNode node, List<String> values, String ifNone) {
        if (values.isEmpty()) {
            node.problem(ifNone);
            return Optional.empty();
        }
        return Optional.of(new StatementValues.Listed(values));
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

    /**
     * Finds a file that a scenario names. It lies beside the scenario or below that, since a scenario may come from somebody else, and
     * what its file reads ends up in a database and in results.
     *
     * @param directory of the scenario
     * @throws IllegalArgumentException with a message for people if it cannot be read, or lies elsewhere
     */
    static Path fileBeside(Path directory, String name) {
        try {
            Path relative = Path.of(name);
            boolean leavesIt = relative.isAbsolute()
                    || Stream.of(relative.toString().split("[/\\\\]", -1)).anyMatch(".."::equals);
            if (leavesIt) {
                throw new IllegalArgumentException("'" + name
                        + "' does not lie beside the scenario (allowed: a path from its directory, without ..)");
            }
            Path file = directory.resolve(relative);
            Optional<String> refusal = RegularFile.refusal(file);
            if (refusal.isPresent()) {
                throw new IllegalArgumentException(file + ": " + refusal.orElseThrow());
            }
            return file;
        } catch (InvalidPathException unusable) {
            throw new IllegalArgumentException("'" + name + "' cannot be read: " + unusable.getMessage(), unusable);
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
            List<String[]> lines = lines(name);
            List<String> values = new ArrayList<>();
            int index = lines.isEmpty() ? 0 : index(List.of(lines.get(0)), column);
            lines.stream()
                    .skip(1)
                    .filter(row -> !Stream.of(row).allMatch(String::isBlank))
                    .forEach(row -> values.add(value(row, index, values.size())));
            return values;
        }

        /**
         * The rows of a file that has columns for some parameters.
         *
         * @param parameters those of the statement; other columns are left alone
         * @throws IllegalArgumentException with a message for people if they cannot be had
         */
        ValueRows rows(String name, List<String> parameters) {
            List<String[]> lines = lines(name);
            List<String> header = lines.isEmpty()
                    ? List.of()
                    : Stream.of(lines.get(0)).map(String::strip).toList();
            List<String> columns =
                    header.stream().filter(parameters::contains).distinct().toList();
            if (columns.isEmpty()) {
                throw new IllegalArgumentException("has no column with the name of a parameter ("
                        + Choices.names(parameters).help("") + ")");
            }
            List<List<String>> rows = new ArrayList<>();
            for (String[] row : lines.subList(1, lines.size())) {
                boolean blankLine = header.size() > 1 && row.length == 1 && row[0].isBlank();
                if (!blankLine) {
                    rows.add(columns.stream()
                            .map(column -> value(row, header.indexOf(column), rows.size()))
                            .toList());
                }
            }
            if (rows.isEmpty()) {
                throw new IllegalArgumentException("has no row of values below the names of its columns");
            }
            return new ValueRows(columns, rows);
        }

        private List<String[]> lines(String name) {
            Path file = fileBeside(directory, name);
            try (Reader reader = Files.newBufferedReader(file)) {
                if (Files.size(file) > MOST_BYTES) {
                    throw new IllegalArgumentException(file + " has more than 50 MB");
                }
                List<String[]> lines = new ArrayList<>();
                CsvParser.reader(reader).forEach(lines::add);
                return lines;
            } catch (IOException | UncheckedIOException unreadable) {
                throw new IllegalArgumentException("cannot be read as text in UTF-8: " + unreadable, unreadable);
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
