package siemload.database.sql;

import java.time.Instant;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.layout.EventText;
import siemload.database.sql.TableGroup.ColumnValues;
import siemload.event.AddressRange;
import siemload.query.Search;

/** Translates the searches of one run, with its hint, for its tables. Thread-safe. */
public final class ColumnSearches extends SqlSearches {
    private final TableGroup tables;
    private final Hint hint;
    private final IndexSet indexes;

    /** For tables with these indexes. */
    public ColumnSearches(TableGroup tables, Hint hint, IndexSet indexes) {
        super(tables.dialect().blocks(), tables.parts());
        this.tables = tables;
        this.hint = hint;
        this.indexes = indexes;
    }

    /** The tables that are searched. */
    TableGroup tables() {
        return tables;
    }

    /** The server does so without an index as well. */
    @Override
    protected boolean isTurnedHere(int size) {
        return false;
    }

    @Override
    protected String hint(Search search) {
        return Hint.concerns(search) ? tables.dialect().hint(search, hint, indexes, tables) : "";
    }

    /** As columns hold it. */
    @Override
    protected Object value(String name, Object of, Object part) {
        if (name.equals("several")) {
            return ColumnValues.SEVERAL;
        }
        if (part instanceof Instant time) {
            return ColumnValues.time(time);
        } else if (part instanceof AddressRange single) {
            return ColumnValues.first(single);
        } else if (part instanceof String text) {
            return name.equals("id")
                    ? ColumnValues.id(text)
                    : of instanceof String ? ColumnValues.text(text) : EventText.searchable(text);
        }
        return name.equals("port_text") ? part.toString() : part;
    }
}
