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
            case TIME_INDEX -> "/*+ " + index("event_time") + " */";
            case FIRST_ROWS -> "/*+ FIRST_ROWS(" + search.page().mostRows().orElse(FIRST_OF_ALL) + ") */";
        };
    }

    private String fieldIndex(Search search) {
        for (Criterion criterion : search.criteria()) {
            if (criterion instanceof AddressFigured figured) {
                return ofSide(figured.side(), "event_source", "event_target");
            } else if (criterion instanceof AddressAndPortOnOneSide) {
                return both("event_source", "event_target");
            } else if (criterion instanceof CategoryIs) {
                return index("event_category");
            } else if (criterion instanceof DetectorIs) {
                return index("event_device");
            } else if (criterion instanceof PortUsed used && indexes != IndexSet.NATIVE) {
                return ofSide(used.side(), "event_source_port", "event_target_port");
            }
        }
        return index("event_time");
    }

    private String ofSide(EventSide side, String source, String target) {
        return switch (side) {
            case SOURCE -> index(source);
            case TARGET -> index(target);
            case EITHER -> both(source, target);
        };
    }

    private String index(String name) {
        return "INDEX(e " + tables.name(name) + ")";
    }

    private String both(String one, String other) {
        return "INDEX_COMBINE(e " + tables.name(one) + " " + tables.name(other) + ")";
    }
}
