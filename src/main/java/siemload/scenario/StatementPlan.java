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
import java.util.stream.Stream;
import org.simpleflatmapper.lightningcsv.CsvParser;
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
    static final String WAYS = "[1, 2, 3], {from: 1, to: 9} or {query: SELECT ...}";

    public StatementPlan {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        rows = List.copyOf(rows);
    }

    /**
     * The same plan with values in place of queries for values.
     *
     * @param answer returns the values from the database, given the parameter as messages name it: {@code by_user, :user}
     */
    public StatementPlan answered(BiFunction<String, Values.Asked, Values> answer) {
        Map<String, Values> answered = new LinkedHashMap<>(values);
        answered.replaceAll((parameter, source) -> source instanceof Values.Asked asked
                ? answer.apply(statement.name() + ", :" + parameter, asked)
                : source);
        return new StatementPlan(statement, answered, rows);
    }

    /** A search for the statement, with values that depend only on the random numbers. Queries for values must be answered before. */
    Search search(SeededRandom random) {
        Map<String, String> drawn = new HashMap<>(rows.isEmpty() ? Map.of() : rows.get(random.nextInt(rows.size())));
        values.forEach((parameter, source) -> drawn.put(parameter, source.draw(random)));
        return statement.search(drawn);
    }

    /** The source of the values of a statement's parameter. Values are text, since the database determines their types. Immutable. */
    public sealed interface Values {
        /** Limits small enough that the numbers of a range can be counted. */
        ValueType<Long> NUMBER = ValueType.wholeNumber(-(1L << 61), 1L << 61);

        /** Draws one of the values. */
        default String draw(SeededRandom random) {
            if (this instanceof Range range) {
                return Long.toString(range.from + random.nextLong(range.to - range.from + 1));
            } else if (this instanceof Listed listed) {
                return listed.values.get(random.nextInt(listed.values.size()));
            }
            throw new IllegalStateException("the query has not been executed: " + this);
        }

        /**
         * Listed values with equal probability: a value that is listed twice is drawn twice as often.
         *
         * @param values at least one
         */
        record Listed(List<String> values) implements Values {
            public Listed {
                values = List.copyOf(values);
            }
        }

        /** Whole numbers from one to another, inclusive. */
        record Range(
                @Key(allowed = "whole number") long from,
                @Key(allowed = "whole number") long to) implements Values {
            public Range {
                Procedure.require(from <= to, "to", to + " is less than from, which is " + from);
            }
        }

        /**
         * The result of a query, executed once before the load.
         *
         * @param query a statement without parameters that returns one column
         */
        record Asked(@Key(allowed = "any") StatementText query) implements Values {
            /** How many rows of the result are taken at most. */
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
            Set<String> given = new LinkedHashSet<>(rows.map(Rows::columns).orElse(List.of()));
            String help = Choices.names(given).help(String.join(" or ", parameters));
            given.retainAll(parameters);
            Procedure.require(
                    rows.isEmpty() || !given.isEmpty(),
                    "rows",
                    "has no column " + String.join(" or ", parameters) + " (" + help + ")");
            String known = parameters.isEmpty() ? "it has none" : "it has :" + String.join(", :", parameters);
            values.keySet().forEach(name -> {
                String key = "values." + name;
                Procedure.require(
                        parameters.contains(name), key, "the statement has no parameter :" + name + " (" + known + ")");
                Procedure.require(
                        given.add(name), key, ":" + name + " has its values from a column of rows (remove it)");
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

    /**
     * The rows of a CSV file (RFC 4180, UTF-8) whose first line has the names of the columns; one or more. In a file with several columns,
     * empty lines are ignored. Of columns with the same name, the first one counts.
     */
    record Rows(List<String> columns, List<Map<String, String>> rows) {
        private static final int MOST_BYTES = 50_000_000;

        /** Reads the rows of a file; exceptions have messages for users. */
        static Rows of(Path file) throws IOException {
            List<String[]> lines = new ArrayList<>();
            CsvParser.reader(RegularFile.text(file, file.toString(), MOST_BYTES))
                    .forEach(lines::add);
            String[] header = lines.isEmpty() ? new String[0] : lines.remove(0);
            List<String> columns = Stream.of(header).map(String::strip).toList();
            lines.removeIf(line -> columns.size() > 1 && line.length == 1 && line[0].isBlank());
            Procedure.require(!lines.isEmpty(), "", "has no row of values below the names of its columns");
            List<Map<String, String>> rows = new ArrayList<>();
            for (String[] line : lines) {
                String row = "row " + (rows.size() + 1) + " has more or fewer columns than the first line (";
                String counts = line.length + ", not " + columns.size() + ")";
                Procedure.require(line.length == columns.size(), "", row + counts);
                Map<String, String> values = new HashMap<>();
                for (int i = 0; i < line.length; i++) {
                    values.putIfAbsent(columns.get(i), line[i]);
                }
                rows.add(values);
            }
            return new Rows(columns, rows);
        }
    }
}
