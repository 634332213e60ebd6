package siemload.database.sql;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import siemload.database.Store.Maintenance.BuildStep;
import siemload.database.server.ServerTarget.EventTables;
import siemload.database.sql.SqlStatement.SqlBlocks;

/** The tables of one data set, or of one run, as a whole: what is done with them are statements. Thread-safe. */
public abstract class SqlTables implements EventTables {
    private final SqlAccess access;
    private final SqlBlocks blocks;

    /**
     * Tables that may be there or not.
     *
     * @param access leads to where they are; a call may take as long as maintenance may
     * @param blocks what is done with each table: {@code delete-all} and {@code statistics}; and {@code checkpoint}
     */
    protected SqlTables(SqlAccess access, SqlBlocks blocks) {
        this.access = access;
        this.blocks = blocks;
    }

    protected final SqlAccess access() {
        return access;
    }

    /** Their names in the database, those that refer to others behind these. */
    protected abstract List<String> names();

    protected abstract SqlStatement counting();

    protected abstract List<SqlStatement.Step> steps();

    @Override
    public final long events() {
        return access.get("count the events in " + place(), counting()::number);
    }

    @Override
    public final List<BuildStep> indexes() {
        return steps().stream()
                .map(step -> new BuildStep(
                        step.name(), () -> access.execute("build '" + step.name() + "' in " + place(), step.sql())))
                .toList();
    }

    @Override
    public void complete(Consumer<String> step) {
        EventTables.super.complete(step);
        step.accept("statistics");
        gatherStatistics();
    }

    @Override
    public final void gatherStatistics() {
        access.run("gather the statistics of " + place(), open -> {
            for (String table : names()) {
                of(table, "statistics").execute(open);
            }
        });
    }

    /** In one transaction. The tables that refer to the events come first; else each event would look for its rows. */
    @Override
    public final long deleteAll() {
        List<String> tables = new ArrayList<>(names());
        Collections.reverse(tables);
        return access.get("delete the events in " + place(), open -> {
            open.setAutoCommit(false);
            long deleted = 0;
            for (String table : tables) {
                deleted = of(table, "delete-all").change(open, name -> name);
            }
            open.commit();
            return deleted;
        });
    }

    @Override
    public final void checkpoint() {
        blocks.steps("checkpoint", Map.of()).forEach(step -> access.execute(step.name(), step.sql()));
    }

    /** A statement that is the same for each table. */
    protected final SqlStatement of(String table, String block) {
        return blocks.read(block, Map.of("table", table));
    }
}
