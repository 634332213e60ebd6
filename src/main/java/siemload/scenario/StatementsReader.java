package siemload.scenario;

import java.math.BigInteger;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;

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

    private StatementValues values(YamlNode node) {
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
}
