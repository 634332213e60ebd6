package siemload.database.sql;

import java.time.Instant;
import java.util.Map;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.layout.Condition;
import siemload.database.layout.Condition.Leaf;
import siemload.database.layout.Condition.Subject;
import siemload.database.sql.TableGroup.ColumnValues;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.Criterion.DescriptionIs;
import siemload.query.Criterion.TextContains;
import siemload.query.Search;

/** Translates the searches of one run, with its hint, for its tables. Thread-safe. */
public final class ColumnSearches extends SqlSearches<String> {
    private final TableGroup tables;
    private final Hint hint;
    private final IndexSet indexes;

    /** For tables with these indexes. */
    public ColumnSearches(TableGroup tables, Hint hint, IndexSet indexes) {
        super(tables.dialect().blocks());
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
    protected String always() {
        return "1 = 1";
    }

    @Override
    protected Map<String, String> names() {
        return tables.parts();
    }

    /** A hint stands after SELECT. */
    @Override
    protected String told(Search search) {
        return Hint.concerns(search) ? tables.dialect().hint(search, hint, indexes, tables) : "";
    }

    @Override
    protected Map<String, String> parts(String hint) {
        return Map.of("hint", hint);
    }

    @Override
    protected String around(Subject subject, String condition, String hint) {
        return "(" + condition + ")";
    }

    /** Every description holds an empty text. */
    @Override
    protected boolean isAsked(Criterion criterion) {
        return !(criterion instanceof TextContains contains
                && ColumnValues.description(contains.text()).isEmpty());
    }

    /** To some an empty text is NULL, and a long one stands in a large object, which has no equality. */
    @Override
    protected Condition description(DescriptionIs is) {
        String text = ColumnValues.description(is.text());
        return new Leaf(
                text.isEmpty() ? "no-description" : ColumnValues.isLong(text) ? "long-description" : "description", is);
    }

    /** As columns hold it. */
    @Override
    protected Object value(String name, Object of) {
        if (name.equals("several")) {
            return ColumnValues.SEVERAL;
        }
        Object part = of instanceof Frame frame ? frame.part(name) : part(name, of);
        if (part instanceof Instant time) {
            return ColumnValues.time(time);
        } else if (part instanceof AddressRange single) {
            return ColumnValues.first(single);
        } else if (part instanceof String text) {
            return name.equals("id")
                    ? ColumnValues.id(text)
                    : of instanceof String ? ColumnValues.text(text) : ColumnValues.description(text);
        }
        return name.equals("port_text") ? part.toString() : part;
    }
}
