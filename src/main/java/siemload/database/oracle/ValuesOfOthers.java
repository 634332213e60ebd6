package siemload.database.oracle;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;

/** The values of conditions in the further forms in which tables that nobody here has made may hold them. Stateless. */
final class ValuesOfOthers {
    /** The same value as text. */
    static final String AS_TEXT = "_text";
    /** An address of IPv4 as a number; -1 for one of IPv6, which none is. */
    static final String AS_NUMBER = "_number";

    private static final List<String> ENDS = List.of("first", "last");
    private static final String ID = "id";

    private ValuesOfOthers() {}

    /** The same conditions, in which an id and both ends of a range of addresses have more than one form. */
    static List<OracleCondition> in(List<OracleCondition> conditions) {
        List<OracleCondition> all = new ArrayList<>(conditions.size());
        for (OracleCondition condition : conditions) {
            all.add(in(condition));
        }
        return all;
    }

    private static OracleCondition in(OracleCondition condition) {
        return new OracleCondition(
                condition.name(),
                condition.anyOf().stream().map(ValuesOfOthers::in).toList(),
                condition.groups().stream().map(ValuesOfOthers::in).toList());
    }

    private static Map<String, Object> in(Map<String, Object> values) {
        Map<String, Object> all = new HashMap<>(values);
        if (values.get(ID) instanceof byte[] id) {
            all.put(ID + AS_TEXT, ColumnValues.readId(id));
        }
        for (String end : ENDS) {
            if (values.get(end) instanceof byte[] stored) {
                AddressRange address = ColumnValues.readAddress(stored);
                all.put(end + AS_TEXT, address.toString());
                all.put(end + AS_NUMBER, BigDecimal.valueOf(address.family() == Family.IP4 ? address.firstLow() : -1));
            }
        }
        return all;
    }

    /** The names of all forms of the values that stand under these names, of which each is a value of the file. */
    static List<String> names(List<String> written) {
        List<String> names = new ArrayList<>(written);
        if (written.contains(":'id'")) {
            names.add(":'id_text'");
        }
        for (String end : ENDS) {
            if (written.contains(":'" + end + "'")) {
                names.add(":'" + end + AS_TEXT + "'");
                names.add(":'" + end + AS_NUMBER + "'");
            }
        }
        return names;
    }
}
