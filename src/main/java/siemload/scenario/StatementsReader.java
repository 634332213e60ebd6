package siemload.scenario;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.simpleflatmapper.lightningcsv.CsvParser;
import siemload.config.Choices;
import siemload.config.RegularFile;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;

/**
 * Reads the statements of a scenario.
 *
 * @param directory of the scenario, beside which files of values lie
 */
record StatementsReader(YamlRecords records, Path directory) {
    private static final String WAYS =
            "[1, 2, 3], {from: 1, to: 9}, {file: values.csv, column: name} or {query: SELECT ...}";
    private static final ValueType<String> VALUE = new ValueType<>("a value", "", text -> text);
    private static final long MOST_BYTES = 50_000_000;

    /** What may stand beside the text of a statement, but for its values, which depend on its text. */
    private record Beside(Optional<Boolean> writes) {}

    private record OfFile(String file, Optional<String> column) {}

    StatementsReader {
        records.with("whole number", StatementValues.NUMBER);
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
        List<String> parameters = text.parameters();
        List<Map<String, String>> rows = node.optional("rows")
                .flatMap(given -> records.value(given, ValueType.text())
                        .flatMap(file -> rows(given, file, Optional.of(parameters))))
                .orElse(List.of());
        List<String> given =
                new ArrayList<>(rows.isEmpty() ? List.of() : rows.get(0).keySet());
        Map<String, StatementValues> values = new LinkedHashMap<>();
        node.optional("values")
                .ifPresent(all -> all.entries().forEach((parameter, source) -> {
                    if (given.contains(parameter)) {
                        all.problemWithKey(
                                parameter, ":" + parameter + " has its values from a column of rows (remove it)");
                    } else if (parameters.contains(parameter)) {
                        values(source).ifPresent(read -> values.put(parameter, read));
                    } else {
                        String known =
                                parameters.isEmpty() ? "it has none" : "it has :" + String.join(", :", parameters);
                        all.problemWithKey(
                                parameter, "the statement has no parameter :" + parameter + " (" + known + ")");
                    }
                    given.add(parameter);
                }));
        text.places((place, offset) -> {
            if (!given.contains(place)) {
                sql.problemAt(
                        offset,
                        ":" + place + " has no values (give them by values: {" + place + ": ...}, as " + WAYS + ")");
            }
        });
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

    /** Reads where the values of a parameter come from. */
    Optional<StatementValues> values(YamlNode node) {
        if (node.isList()) {
            List<String> values = node.elements().stream()
                    .flatMap(value -> value.find(VALUE).stream())
                    .toList();
            records.put(node, values.size() + " values");
            if (node.elements().isEmpty()) {
                node.problem("is empty (needed: at least one value)");
            }
            return Optional.of(values).filter(some -> !some.isEmpty()).map(StatementValues.Listed::new);
        }
        if (!node.isMapping()) {
            node.problem("is not a source of values (allowed: " + WAYS + ")");
            return Optional.empty();
        }
        if (node.peek("file").isPresent()) {
            return records.record(node, OfFile.class)
                    .flatMap(of ->
                            rows(node.required("file"), of.file(), of.column().map(List::of)))
                    .map(rows -> new StatementValues.Listed(
                            rows.stream().flatMap(row -> row.values().stream()).toList()));
        }
        Optional<YamlNode> query = node.peek("query").map(asked -> node.required("query"));
        if (query.isEmpty()) {
            return records.record(node, StatementValues.Range.class).map(Function.identity());
        }
        StatementText text = text(query.get());
        text.places((name, offset) ->
                query.get().problemAt(offset, "a query for values has no parameters, but here stands :" + name));
        return Optional.of(new StatementValues.Asked(text.written()));
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
            require(
                    !relative.isAbsolute()
                            && !List.of(name.split("[/\\\\]", -1)).contains(".."),
                    "'" + name + "' does not lie beside the scenario (allowed: a path from its directory, without ..)");
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
     * The rows of a CSV file (RFC 4180, UTF-8) whose first line has the names of the columns; one or more. An empty line of a file with
     * several columns is none.
     *
     * @param wanted some of its columns; empty for the only one
     * @return empty if they cannot be had, which is noted
     */
    private Optional<List<Map<String, String>>> rows(YamlNode node, String file, Optional<List<String>> wanted) {
        try {
            List<String[]> lines = lines(fileBeside(directory, file));
            String[] header = lines.isEmpty() ? new String[0] : lines.remove(0);
            List<String> columns = Stream.of(header).map(String::strip).toList();
            lines.removeIf(line -> columns.size() > 1 && line.length == 1 && line[0].isBlank());
            require(!lines.isEmpty(), "has no row of values below the names of its columns");
            require(wanted.isPresent() || columns.size() == 1, "has several columns: name one by column");
            List<String> names =
                    wanted.orElse(columns).stream().filter(columns::contains).toList();
            String missing = String.join(" or ", wanted.orElse(columns));
            String help = Choices.names(columns).help(missing);
            require(!names.isEmpty(), "has no column " + missing + " (" + help + ")");
            List<Map<String, String>> rows = new ArrayList<>();
            for (String[] line : lines) {
                Map<String, String> row = new LinkedHashMap<>();
                for (String name : names) {
                    boolean isThere = columns.indexOf(name) < line.length;
                    require(isThere, "row " + (rows.size() + 1) + " has too few columns");
                    row.put(name, line[columns.indexOf(name)]);
                }
                rows.add(Map.copyOf(row));
            }
            return Optional.of(rows);
        } catch (IllegalArgumentException unreadable) {
            node.problem(String.valueOf(unreadable.getMessage()));
            return Optional.empty();
        }
    }

    private static void require(boolean holds, String why) {
        if (!holds) {
            throw new IllegalArgumentException(why);
        }
    }

    private static List<String[]> lines(Path file) {
        List<String[]> lines = new ArrayList<>();
        try (Reader reader = Files.newBufferedReader(file)) {
            require(Files.size(file) <= MOST_BYTES, file + " has more than 50 MB");
            CsvParser.reader(reader).forEach(lines::add);
            return lines;
        } catch (IOException | UncheckedIOException unreadable) {
            throw new IllegalArgumentException("cannot be read as text in UTF-8: " + unreadable, unreadable);
        }
    }
}
