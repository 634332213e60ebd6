package siemload.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.config.Choices;
import siemload.config.RegularFile;
import siemload.config.ValueType;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.dataset.SeededRandom;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;

/**
 * A statement of a scenario, with the sources of its parameters' values. Immutable and thread-safe.
 *
 * @param values the source of values for each parameter that has none in the rows
 * @param rows values that belong together, such as the start and the end of a window, by parameter: one row is drawn for all of them. A row
 *     that is listed twice is drawn twice as often; empty if there are no rows
 */
public record StatementPlan(Statement statement, Map<String, Values> values, List<Map<String, String>> rows) {
    static final String WAYS = "[1, 2, 3], {from: 1, to: 9}, {file: values.csv} or {query: SELECT ...}";

    public StatementPlan {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        rows = List.copyOf(rows);
    }

    /**
     * Returns this plan with values from the database in place of queries. The function gets the parameter as in {@code by_user, :user}.
     */
    public StatementPlan answered(BiFunction<String, Values.Asked, Values> answer) {
        Map<String, Values> answered = new LinkedHashMap<>(values);
        answered.replaceAll((parameter, source) -> source instanceof Values.Asked asked
                ? answer.apply(statement.name() + ", :" + parameter, asked)
                : source);
        return new StatementPlan(statement, answered, rows);
    }

    /** Returns a search for the statement, with values that depend only on the random numbers. First answer queries for values. */
    Search search(SeededRandom random) {
        Map<String, String> drawn = new HashMap<>(rows.isEmpty() ? Map.of() : rows.get(random.nextInt(rows.size())));
        values.forEach((parameter, source) -> drawn.put(parameter, source.draw(random)));
        return statement.search(drawn);
    }

    /** The source of the values of a statement's parameter. Values are text, since the database determines their types. Immutable. */
    public sealed interface Values {
        /** Whole numbers that fit bigint. */
        ValueType<Long> NUMBER = ValueType.wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE);

        /** Draws one of the values. */
        default String draw(SeededRandom random) {
            if (this instanceof Range range) {
                return Long.toString(range.from + random.nextLong(range.to - range.from + 1));
            } else if (this instanceof Listed listed) {
                return listed.values.get(random.nextInt(listed.values.size()));
            }
            throw new IllegalStateException("the query has not been executed: " + this);
        }

        /** One entry or more, drawn with equal probability: a value that is listed twice is drawn twice as often. */
        record Listed(List<String> values) implements Values {
            public Listed {
                values = List.copyOf(values);
            }
        }

        /** Whole numbers from the first to the last, both included. */
        record Range(
                @Key(allowed = "whole number") long from,
                @Key(allowed = "whole number") long to) implements Values {
            public Range {
                Misfit.require(from <= to, "to", to + " is less than from, which is " + from);
                boolean fits = to - from >= 0 && to - from < Long.MAX_VALUE / 2;
                Misfit.require(fits, "to", to + " minus from, which is " + from + ", is more than 4611686018427387902");
            }
        }

        /** The result of a query without parameters that returns one column, executed once before the load. */
        record Asked(@Key(allowed = "any") StatementText query) implements Values {
            /** The largest number of rows that are taken from the result. */
            public static final int MOST = 10_000;

            public Asked {
                query.parameters().forEach(parameter -> {
                    String why = "a query for values cannot have parameters, but this one has :" + parameter;
                    throw new Misfit("query", query.offset(parameter), why);
                });
            }
        }
    }

    /** A statement as written in a scenario file. */
    record Written(
            @Key(allowed = "any") StatementText sql,
            Optional<Rows> rows,
            @Key(standard = "{}") Map<String, Values> values,
            Optional<Boolean> writes) {
        Written {
            List<String> parameters = sql.parameters();
            List<String> columns = rows.map(Rows::columns).orElse(List.of());
            Set<String> given = new LinkedHashSet<>(columns);
            String help = Choices.names(given).help(String.join(" or ", parameters));
            given.retainAll(parameters);
            given.forEach(name -> Misfit.require(
                    Collections.frequency(columns, name) == 1, "rows", "has several columns " + name + " (keep one)"));
            String none = "has no column " + String.join(" or ", parameters) + " (" + help + ")";
            Misfit.require(rows.isEmpty() || !given.isEmpty(), "rows", none);
            String known = parameters.isEmpty() ? "it has none" : "it has :" + String.join(", :", parameters);
            values.keySet().forEach(name -> {
                String key = "values." + name;
                String unknown = "the statement has no parameter :" + name + " (" + known + ")";
                Misfit.require(parameters.contains(name), key, unknown);
                Misfit.require(given.add(name), key, ":" + name + " has its values from a column of rows (remove it)");
            });
            parameters.stream().filter(name -> !given.contains(name)).forEach(name -> {
                String why = ":" + name + " has no values (give them in values: {" + name + ": ...}, as " + WAYS
                        + ", or in rows: values.csv)";
                throw new Misfit("sql", sql.offset(name), why);
            });
        }

        StatementPlan plan(SearchName name) {
            Statement.Effect effect = writes.orElse(false) ? Statement.Effect.WRITES : Statement.Effect.READS;
            List<Map<String, String>> all = rows.map(Rows::rows).orElse(List.of());
            all.forEach(row -> row.keySet().retainAll(sql.parameters()));
            return new StatementPlan(new Statement(name, sql, effect), values, all);
        }
    }

    /** A parameter's values from one of a CSV file's columns. */
    record Column(Rows file, String column) {
        Column {
            boolean isOne = Collections.frequency(file.columns(), column) == 1;
            String why = "'" + column + "' is not the name of one column of the file (columns: "
                    + String.join(", ", file.columns()) + "; choose one with column: ...)";
            Misfit.require(isOne, "column", why);
        }

        Values.Listed values() {
            return new Values.Listed(file.rows().stream()
                    .map(row -> row.getOrDefault(column, ""))
                    .toList());
        }
    }

    /**
     * The rows of a CSV file (RFC 4180, UTF-8) whose first line has the names of the columns; one or more. Empty lines are ignored; a row
     * with an empty value alone is written as {@code ""}.
     */
    record Rows(List<String> columns, List<Map<String, String>> rows) {
        private static final int MOST_BYTES = 50_000_000;

        /** A value, in quotes or not, and what ends it. */
        private static final Pattern VALUE =
                Pattern.compile("(?:\"((?:[^\"]|\"\")*+)\"|([^\",\r\n]*+))(,|\\r\\n|\\n|\\r|\\z)");

        /** Reads the rows of a file; exceptions have messages for users. */
        static Rows of(Path file) throws IOException {
            String text = RegularFile.text(file, file.toString(), MOST_BYTES);
            Matcher value = VALUE.matcher(text);
            List<String> columns = new ArrayList<>();
            List<Map<String, String>> rows = new ArrayList<>();
            String header = "";
            int nul = text.indexOf('\0');
            require(nul < 0, text, Math.max(0, nul), "has a NUL character, which no value can have (is this UTF-16?)");
            int at = 0;
            while (at < text.length()) {
                int begin = at;
                boolean isQuoted;
                List<String> row = new ArrayList<>();
                do {
                    String why =
                            "has a quote that does not end, or is not around a whole value (write \"a \"\"b\"\"\")";
                    require(value.region(at, text.length()).lookingAt(), text, at, why);
                    isQuoted = value.group(1) != null;
                    row.add(isQuoted ? value.group(1).replace("\"\"", "\"") : value.group(2));
                    at = value.end();
                } while (value.group(3).equals(","));
                String line = text.substring(begin, at).replace("\uFEFF", "").strip();
                boolean isEmpty = row.size() == 1 && !isQuoted && row.get(0).isBlank();
                if (!isEmpty && columns.isEmpty()) {
                    header = line;
                    row.forEach(name -> columns.add(name.strip()));
                } else if (!isEmpty) {
                    String counts = row.size() + ", not " + columns.size();
                    String what = "has more or fewer columns than the first line (" + counts + ")";
                    require(row.size() == columns.size(), text, begin, what);
                    require(!line.equals(header), text, begin, "repeats the first line (remove it, or quote it)");
                    Map<String, String> values = new HashMap<>();
                    for (int i = 0; i < columns.size(); i++) {
                        values.put(columns.get(i), row.get(i));
                    }
                    rows.add(values);
                }
            }
            Misfit.require(!rows.isEmpty(), "", "has no row of values below the names of its columns");
            return new Rows(columns, rows);
        }

        private static void require(boolean holds, String text, int at, String why) {
            if (!holds) {
                long line =
                        1 + text.substring(0, at).chars().filter(c -> c == '\n').count();
                throw new Misfit("", "line " + line + " " + why);
            }
        }
    }
}
