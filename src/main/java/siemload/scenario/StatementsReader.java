package siemload.scenario;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
    private record Beside(Optional<Boolean> writes) {}

    private record OfFile(String file, Optional<String> column) {}

    record Range(
            @Key(allowed = "value") String from,
            @Key(allowed = "value") String to) {
        Range {
            if (StatementValues.Range.between(from, to).isEmpty()) {
                throw new Misfit(
                        "to",
                        "'" + from + "' to '" + to + "' is no range (allowed: two whole numbers, two days such as"
                                + " 2024-02-29, or two instants such as 2024-02-29T12:00:00Z, the second not below the"
                                + " first)");
            }
        }
    }

    StatementsReader {
        records.with("value", VALUE);
    }

    /** The names of the statements whose names are good. */
    static Choices<SearchName> names(YamlNode statements) {
        return SearchName.choices(statements.entries().keySet().stream()
                .filter(key -> SearchName.refusal(key).isEmpty())
                .map(SearchName::new)
                .toList());
    }

    /** Reads all of them, in the order of the file; what is bad is noted. */
    List<StatementPlan> read(YamlNode node) {
        List<StatementPlan> statements = new ArrayList<>();
        node.entries().forEach((key, written) -> {
            Optional<String> refusal = SearchName.refusal(key)
                    .or(() -> Optional.of("is the name of a search that siemload brings (take another one)")
                            .filter(taken -> SearchName.builtIn().contains(new SearchName(key))));
            refusal.ifPresentOrElse(
                    why -> node.problemWithKey(key, why),
                    () -> statement(new SearchName(key), written).ifPresent(statements::add));
        });
        if (node.isMapping() && node.entries().isEmpty()) {
            node.problem("is empty (needed: at least one statement)");
        }
        return statements;
    }

    private Optional<StatementPlan> statement(SearchName name, YamlNode node) {
        YamlNode sql = node.required("sql");
        StatementText text = text(sql);
        ValueRows rows = node.optional("rows")
                .flatMap(given -> records.value(given, ValueType.text())
                        .flatMap(file -> ofFile(given, file, csv -> csv.ofParameters(text.parameters()))))
                .orElse(ValueRows.NONE);
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
        return records.record(node, Beside.class).map(read -> {
            Statement.Effect effect = read.writes().orElse(false) ? Statement.Effect.WRITES : Statement.Effect.READS;
            return new StatementPlan(new Statement(name, text, effect), values, rows);
        });
    }

    /** What there is of a text of SQL, also where it is not a whole statement, which is noted. */
    StatementText text(YamlNode node) {
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

    private <T> Optional<T> ofFile(YamlNode node, String name, Function<ValuesFile, T> reading) {
        try {
            return Optional.of(reading.apply(ValuesFile.read(fileBeside(directory, name))));
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
            if (values.isEmpty()) {
                node.problem("is empty (needed: at least one value)");
                return Optional.empty();
            }
            return Optional.of(new StatementValues.Listed(values));
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
                    .flatMap(of -> ofFile(node.required("file"), of.file(), file -> file.of(of.column())))
                    .map(StatementValues.Listed::new);
        }
        return records.record(node, Range.class).flatMap(one -> StatementValues.Range.between(one.from(), one.to()));
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
            if (relative.isAbsolute() || List.of(name.split("[/\\\\]", -1)).contains("..")) {
                throw new IllegalArgumentException("'" + name
                        + "' does not lie beside the scenario (allowed: a path from its directory, without ..)");
            }
            Path file = directory.resolve(relative);
            RegularFile.refusal(file).ifPresent(why -> {
                throw new IllegalArgumentException(file + ": " + why);
            });
            return file;
        } catch (InvalidPathException unusable) {
            throw new IllegalArgumentException("'" + name + "' cannot be read: " + unusable.getMessage(), unusable);
        }
    }

    /**
     * Values in a CSV file (RFC 4180, UTF-8) whose first line has the names of the columns; one or more. An empty line of a file with
     * several columns is none.
     */
    private record ValuesFile(List<String> columns, List<String[]> rows) {
        private static final long MOST_BYTES = 50_000_000;

        /** @throws IllegalArgumentException with a message for people if they cannot be had */
        static ValuesFile read(Path file) {
            List<String[]> rows = new ArrayList<>();
            try (Reader reader = Files.newBufferedReader(file)) {
                if (Files.size(file) > MOST_BYTES) {
                    throw new IllegalArgumentException(file + " has more than 50 MB");
                }
                CsvParser.reader(reader).forEach(rows::add);
            } catch (IOException | UncheckedIOException unreadable) {
                throw new IllegalArgumentException("cannot be read as text in UTF-8: " + unreadable, unreadable);
            }
            List<String> columns = rows.isEmpty()
                    ? List.of()
                    : Stream.of(rows.remove(0)).map(String::strip).toList();
            rows.removeIf(row -> columns.size() > 1 && row.length == 1 && row[0].isBlank());
            if (rows.isEmpty()) {
                throw new IllegalArgumentException("has no row of values below the names of its columns");
            }
            return new ValuesFile(columns, rows);
        }

        /** The values of a column, in the order of the file; of the only one where no name is given. */
        List<String> of(Optional<String> column) {
            String name = column.orElse("");
            int index = columns.size() == 1 && name.isEmpty() ? 0 : columns.indexOf(name);
            if (index < 0) {
                String found =
                        name.isEmpty() ? "has several columns: name one by column" : "has no column '" + name + "'";
                throw new IllegalArgumentException(
                        found + " (" + Choices.names(columns).help(name) + ")");
            }
            return values(List.of(index)).stream().map(row -> row.get(0)).toList();
        }

        /** The rows of the columns that have the names of some parameters; other columns are left alone. */
        ValueRows ofParameters(List<String> parameters) {
            List<String> named =
                    columns.stream().filter(parameters::contains).distinct().toList();
            if (named.isEmpty()) {
                throw new IllegalArgumentException("has no column with the name of a parameter ("
                        + Choices.names(parameters).help("") + ")");
            }
            return new ValueRows(
                    named, values(named.stream().map(columns::indexOf).toList()));
        }

        private List<List<String>> values(List<Integer> indices) {
            List<List<String>> values = new ArrayList<>();
            for (String[] row : rows) {
                if (indices.stream().anyMatch(index -> index >= row.length)) {
                    throw new IllegalArgumentException("row " + (values.size() + 1) + " has too few columns");
                }
                values.add(indices.stream().map(index -> row[index]).toList());
            }
            return values;
        }
    }
}
