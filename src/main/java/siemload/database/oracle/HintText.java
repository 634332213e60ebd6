package siemload.database.oracle;

import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.EventSide;
import siemload.query.Search;

/**
 * A hint as the comment after SELECT. Two columns may hold an address or a port: only a bitmap of both their indexes
 * answers that.
 *
 * @param indexes the indexes that there are
 */
record HintText(Hint hint, IndexSet indexes, TableGroup tables) {
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
