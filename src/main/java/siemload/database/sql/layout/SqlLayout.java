package siemload.database.sql.layout;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import siemload.database.layout.Blocks;
import siemload.database.layout.LayoutAbout;
import siemload.database.layout.LayoutFormat.Read;
import siemload.database.layout.LayoutTable;
import siemload.database.layout.StoredValue;
import siemload.database.sql.SqlFiles;
import siemload.database.sql.SqlStatement;

/**
 * A layout of tables: what its {@code layout.yaml} says, and its statements. Siemload's own ones and those of users are folders of the
 * same kind. Immutable and thread-safe.
 *
 * @param <F> what of an event can fill a column
 */
public abstract class SqlLayout<F extends StoredValue> {
    /** What a row of an event is, where siemload has not made the tables; stands in all other blocks. */
    static final List<String> EXPRESSIONS = List.of("from", "id", "time", "json");

    private final Read<F> read;
    private final Map<String, String> expressions = new HashMap<>();
    /** Those without parts, or with their parts still in them. */
    private final Map<String, SqlStatement> statements = new HashMap<>();

    protected SqlLayout(Read<F> read) {
        this.read = read;
        if (read.about().isForSearchesAlone()) {
            EXPRESSIONS.forEach(name -> read.blocks()
                    .find(name)
                    .ifPresent(block -> expressions.put(
                            name, SqlFiles.statement(block.text()).sql())));
        }
        read.blocks()
                .all()
                .forEach((name, block) ->
                        statements.put(name, SqlFiles.statement(SqlFiles.fill(block.text(), expressions))));
    }

    /** What it says of itself. */
    public final LayoutAbout<F> about() {
        return read.about();
    }

    /** Its blocks. */
    public final Blocks blocks() {
        return read.blocks();
    }

    /** What was read of it. */
    public final Read<F> read() {
        return read;
    }

    /** Whether it says how to search events that are there already, and neither loads nor feeds any. */
    public final boolean isForSearchesAlone() {
        return about().isForSearchesAlone();
    }

    /** Whether the rows of each day lie in a partition of their own. */
    public final boolean isByDay() {
        return about().isByDay();
    }

    /** The first one has a row for each event; those that refer to others come behind them. */
    public final List<LayoutTable<F>> tables() {
        return about().tables();
    }

    /** The names of the {@link #tables}. */
    public final List<String> tableNames() {
        return tables().stream().map(table -> table.name()).toList();
    }

    /** Whether it has a block of this name. */
    public final boolean has(String name) {
        return statements.containsKey(name);
    }

    /** A block that has no parts, or whose parts do not matter. @throws Blocks.MissingBlockException without such a block */
    public final SqlStatement read(String name) {
        SqlStatement statement = statements.get(name);
        if (statement == null) {
            throw new Blocks.MissingBlockException(name);
        }
        return statement;
    }

    /** The same with its parts put in. */
    public final SqlStatement read(String name, Map<String, String> parts) {
        return SqlFiles.statement(read.blocks().text(name), withExpressions(parts));
    }

    /** A part of a statement, with its own parts put in. */
    public final String part(String name, Map<String, String> parts) {
        return SqlFiles.part(read.blocks().text(name), withExpressions(parts));
    }

    private Map<String, String> withExpressions(Map<String, String> parts) {
        Map<String, String> all = new HashMap<>(expressions);
        all.putAll(parts);
        return all;
    }

    /** The statements of a block that builds something; none where the layout does not have it. */
    public final List<SqlFiles.Step> steps(String name) {
        return steps(name, Map.of());
    }

    /** The same with their parts put in. */
    public final List<SqlFiles.Step> steps(String name, Map<String, String> parts) {
        return has(name)
                ? SqlFiles.steps(name, SqlFiles.fill(read.blocks().text(name), withExpressions(parts)))
                : List.of();
    }
}
