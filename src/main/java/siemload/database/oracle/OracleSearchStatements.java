package siemload.database.oracle;

import java.util.Map;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.layout.Condition;
import siemload.database.layout.Condition.Leaf;
import siemload.database.layout.Condition.Subject;
import siemload.database.sql.SqlSearches;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DescriptionIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.PortBetween;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;
import siemload.query.EventSide;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Window;

/** Translates the searches of one run, with its hint, for its tables. Thread-safe. */
final class OracleSearchStatements extends SqlSearches<String> {
    private final TableGroup tables;
    private final HintText hints;

    OracleSearchStatements(TableGroup tables, Hint hint, IndexSet indexes) {
        super(TableGroup.LAYOUT);
        this.tables = tables;
        this.hints = new HintText(hint, indexes, tables);
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

    /** A hint is a comment after SELECT. */
    @Override
    protected String told(Search search) {
        return hints.of(search);
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

    /** To Oracle an empty text is NULL, and a long one stands in a large object, which has no equality. */
    @Override
    protected Condition description(DescriptionIs is) {
        String text = ColumnValues.description(is.text());
        return new Leaf(
                text.isEmpty() ? "no-description" : ColumnValues.isLong(text) ? "long-description" : "description", is);
    }

    /** As columns hold it. */
    @Override
    protected Object value(String value, Object of) {
        return switch (value) {
            case "limit" -> ((Frame) of).limit();
            case "offset" -> ((Frame) of).offset();
            case "seconds" -> ((Frame) of).step().toSeconds();
            case "from" -> ColumnValues.time(of instanceof Frame steps ? steps.from() : ((Window) of).from());
            case "until" -> ColumnValues.time(((Window) of).until());
            case "time" -> ColumnValues.time(((PageKey) of).detectTime());
            case "id" -> ColumnValues.id(id(of));
            case "first" -> of instanceof PortBetween ports ? ports.first() : ColumnValues.first(range(of));
            case "last" -> of instanceof PortBetween ports ? ports.last() : ColumnValues.last(range(of));
            case "port" -> port(of);
            case "port_text" -> Integer.toString(port(of));
            case "several" -> ColumnValues.SEVERAL;
            default -> of instanceof String name ? ColumnValues.text(name) : ColumnValues.description(text(of));
        };
    }

    /**
     * A hint as the comment after SELECT. Two columns may hold an address or a port: only a bitmap of both their indexes
     * answers that.
     *
     * @param indexes the indexes that there are
     */
    private record HintText(Hint hint, IndexSet indexes, TableGroup tables) {
        private static final int FIRST_OF_ALL = 100;
        private static final String SOURCE_PORT = "source_port";
        private static final String TARGET_PORT = "target_port";

        /** The comment for this search; empty for none. */
        String of(Search search) {
            if (!Hint.concerns(search)) {
                return "";
            }
            return switch (hint) {
                case NONE -> "";
                case FULL_SCAN -> "/*+ FULL(e) */";
                case FULL_SCAN_PARALLEL -> "/*+ FULL(e) PARALLEL(AUTO) */";
                case INDEX -> "/*+ " + fieldIndex(search) + " */";
                case TIME_INDEX -> "/*+ " + index("time") + " */";
                case FIRST_ROWS -> "/*+ FIRST_ROWS(" + search.page().mostRows().orElse(FIRST_OF_ALL) + ") */";
            };
        }

        private String fieldIndex(Search search) {
            for (Criterion criterion : search.criteria()) {
                if (criterion instanceof AddressFigured figured) {
                    return ofSide(figured.side(), "source", "target");
                } else if (criterion instanceof AddressAndPortOnOneSide) {
                    return both("source", "target");
                } else if (criterion instanceof CategoryIs) {
                    return index("category");
                } else if (criterion instanceof DetectorIs) {
                    return index("device");
                } else if (criterion instanceof PortUsed used && hasPorts()) {
                    return ofSide(used.side(), SOURCE_PORT, TARGET_PORT);
                }
            }
            return index("time");
        }

        private String ofSide(EventSide side, String source, String target) {
            return switch (side) {
                case SOURCE -> index(source);
                case TARGET -> index(target);
                case EITHER -> both(source, target);
            };
        }

        private String index(String name) {
            return "INDEX(e " + ofEvents(name) + ")";
        }

        private String both(String one, String other) {
            return "INDEX_COMBINE(e " + ofEvents(one) + " " + ofEvents(other) + ")";
        }

        private boolean hasPorts() {
            return indexes == IndexSet.FIELDS || indexes == IndexSet.COMPOUND;
        }

        private String ofEvents(String name) {
            return tables.name("event_" + name);
        }
    }
}
