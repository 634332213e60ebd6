package siemload.database.sql.layout;

import java.util.List;
import java.util.SortedMap;
import siemload.database.Partitions;
import siemload.database.layout.LayoutOffer;
import siemload.database.layout.ReadLayout;

/**
 * A layout of tables: what its {@code layout.yaml} says, and its files of statements. Siemload's own ones and those of users are folders
 * of the same kind. What a layout does not have in its own folder is that of the first folder of its base that has it. Immutable and
 * thread-safe.
 *
 * @param <F> what of an event can fill a column
 */
public abstract class StatementLayout<F extends StoredValue> implements ReadLayout {
    private final LayoutAbout<F> about;
    /** The text that says what it is. */
    private final String yaml;

    private final LayoutTexts texts;

    protected StatementLayout(LayoutAbout<F> about, String yaml, LayoutTexts texts) {
        this.about = about;
        this.yaml = yaml;
        this.texts = texts;
    }

    /** Which files such a layout needs, and what may stand in them. */
    protected abstract StatementRules rules(LayoutAbout<F> said);

    @Override
    public final SortedMap<String, String> copied() {
        return texts.copied(yaml, rules(about));
    }

    @Override
    public final LayoutOffer offer() {
        return about.offer();
    }

    @Override
    public final Partitions partitions() {
        return about.partitions();
    }

    /** Whether the rows of each day lie in a partition of their own. */
    public final boolean isByDay() {
        return about.isByDay();
    }

    /** The first one has a row for each event; those that refer to others come behind them. */
    public final List<LayoutTable<F>> tables() {
        return about.tables();
    }

    /** The names of the {@link #tables}. */
    public final List<String> tableNames() {
        return about.tables().stream().map(table -> table.name()).toList();
    }

    /** Its files of statements. */
    public final LayoutTexts texts() {
        return texts;
    }
}
