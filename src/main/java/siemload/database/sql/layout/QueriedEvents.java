package siemload.database.sql.layout;

import java.util.List;
import java.util.Map;
import siemload.database.ExistingEvents;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/** Events in tables, which a layout's own queries tell of. */
public interface QueriedEvents extends ExistingEvents {
    /** Those of the layout, over a connection of their own that the caller closes. */
    EventQueries queries();

    @Override
    default Span span() {
        try (EventQueries queries = queries()) {
            return queries.span();
        }
    }

    @Override
    default Map<ValueField, List<CountedValue>> values(int most) {
        try (EventQueries queries = queries()) {
            return queries.values(most);
        }
    }
}
