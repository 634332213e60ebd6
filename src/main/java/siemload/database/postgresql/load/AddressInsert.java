package siemload.database.postgresql.load;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.Networks;
import siemload.database.postgresql.layout.SqlText;
import siemload.database.sql.SqlStatement;
import siemload.event.AddressRange;
import siemload.event.SecurityEvent;

/** Inserts the rows of an event into the table {@code event_address}, all with one statement. */
final class AddressInsert {
    private static final SqlStatement INSERT = Layout.ADDRESS.read("insert-event-address");

    private AddressInsert() {}

    static String sql() {
        return INSERT.sql();
    }

    /** Adds the event to the batch, unless it has no address. */
    static void add(SecurityEvent event, PreparedStatement statement) throws SQLException {
        List<AddressRange> networks = new ArrayList<>(Networks.ofSide(event.sources()));
        List<String> sides = new ArrayList<>(Collections.nCopies(networks.size(), "s"));
        networks.addAll(Networks.ofSide(event.targets()));
        sides.addAll(Collections.nCopies(networks.size() - sides.size(), "t"));
        if (networks.isEmpty()) {
            return;
        }
        Map<String, String> values = Map.of(
                "detect_time", SqlText.timestamp(event.detectTime()),
                "id", SqlText.clean(event.id()),
                "addresses", Networks.array(networks),
                "sides", SqlText.textArray(sides));
        for (int i = 0; i < INSERT.values().size(); i++) {
            statement.setString(i + 1, values.get(INSERT.values().get(i)));
        }
        statement.addBatch();
    }
}
