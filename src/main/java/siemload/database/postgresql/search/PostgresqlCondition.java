package siemload.database.postgresql.search;

import java.util.List;
import java.util.Map;
import siemload.database.postgresql.connection.SqlTemplate;
import siemload.database.postgresql.layout.SqlText;
import siemload.database.sql.SqlStatement;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;
import siemload.query.PageKey;
import siemload.query.Window;

/**
 * One condition of a search with its values. Each kind is a file of the layout.
 *
 * @param values the values in text form by their names in the file
 */
record PostgresqlCondition(Kind kind, Map<String, String> values) {

    /** The kinds, each with its SQL. */
    enum Kind {
        WINDOW("mentat/condition-window"),
        AFTER_KEY("mentat/condition-after-key"),
        BEFORE_KEY("mentat/condition-before-key"),
        ADDRESS_IP4("mentat/condition-address-ip4"),
        ADDRESS_IP6("mentat/condition-address-ip6"),
        ADDRESS_IP4_LIST("mentat/condition-address-ip4-list"),
        ADDRESS_IP6_LIST("mentat/condition-address-ip6-list"),
        ADDRESS_BOTH_LIST("mentat/condition-address-both-list"),
        CATEGORY("mentat/condition-category"),
        DETECTOR("mentat/condition-detector"),
        PORT("mentat/condition-port"),
        TEXT("mentat/condition-text"),
        ONE_SIDE_IP4("mentat/condition-one-side-ip4"),
        ONE_SIDE_IP6("mentat/condition-one-side-ip6"),
        ID("mentat/condition-id"),
        NETWORKS("address/condition-networks"),
        RANGE("address/condition-range"),
        NETWORKS_IN_WINDOW("address/condition-networks-window"),
        RANGE_IN_WINDOW("address/condition-range-window");

        @SuppressWarnings("ImmutableEnumChecker") // A record of immutable parts.
        private final SqlStatement template;

        private final String file;

        Kind(String file) {
            this.file = file;
            template = SqlTemplate.read(file + ".sql");
        }

        String sql() {
            return template.sql();
        }

        /** The SQL of a kind that has parts. */
        String sql(Map<String, String> parts) {
            return SqlTemplate.read(file + ".sql", parts).sql();
        }

        /** Whether it finds addresses in their own table. */
        boolean isLookup() {
            return this == NETWORKS || this == RANGE || this == NETWORKS_IN_WINDOW || this == RANGE_IN_WINDOW;
        }

        /** Whether it is about addresses in the row of the event. */
        boolean isOfAddress() {
            return switch (this) {
                case ADDRESS_IP4,
                        ADDRESS_IP6,
                        ADDRESS_IP4_LIST,
                        ADDRESS_IP6_LIST,
                        ADDRESS_BOTH_LIST,
                        ONE_SIDE_IP4,
                        ONE_SIDE_IP6 -> true;
                case WINDOW,
                        AFTER_KEY,
                        BEFORE_KEY,
                        CATEGORY,
                        DETECTOR,
                        PORT,
                        TEXT,
                        ID,
                        NETWORKS,
                        RANGE,
                        NETWORKS_IN_WINDOW,
                        RANGE_IN_WINDOW -> false;
            };
        }

        /** Whether it bounds the detect time. */
        boolean isOfTime() {
            return this == WINDOW || this == AFTER_KEY || this == BEFORE_KEY;
        }
    }

    /** Appends the values in the order of the places in the SQL. */
    void addValuesTo(List<String> list) {
        for (String name : kind.template.values()) {
            list.add(values.get(name));
        }
    }

    static PostgresqlCondition of(Window window) {
        String from = SqlText.timestamp(window.from());
        return new PostgresqlCondition(Kind.WINDOW, Map.of("from", from, "until", SqlText.timestamp(window.until())));
    }

    static PostgresqlCondition after(PageKey key) {
        return beyond(Kind.AFTER_KEY, key);
    }

    static PostgresqlCondition before(PageKey key) {
        return beyond(Kind.BEFORE_KEY, key);
    }

    static PostgresqlCondition of(Criterion criterion) {
        if (criterion instanceof AddressFigured figured) {
            return addresses(figured.anyOf());
        } else if (criterion instanceof CategoryIs is) {
            return text(Kind.CATEGORY, "category", is.category());
        } else if (criterion instanceof DetectorIs is) {
            return text(Kind.DETECTOR, "detector", is.nodeName());
        } else if (criterion instanceof PortUsed used) {
            return new PostgresqlCondition(Kind.PORT, Map.of("port", Integer.toString(used.port())));
        } else if (criterion instanceof AddressAndPortOnOneSide both) {
            Kind kind = both.address().family() == Family.IP4 ? Kind.ONE_SIDE_IP4 : Kind.ONE_SIDE_IP6;
            String port = Integer.toString(both.port());
            return new PostgresqlCondition(kind, Map.of("address", SqlText.range(both.address()), "port", port));
        } else if (criterion instanceof TextContains contains) {
            return text(Kind.TEXT, "text", contains.text());
        } else if (criterion instanceof IdIs is) {
            return text(Kind.ID, "id", is.id());
        }
        throw new AssertionError("a kind of criterion without SQL: " + criterion);
    }

    private static PostgresqlCondition addresses(List<AddressRange> anyOf) {
        AddressRange first = anyOf.get(0);
        if (anyOf.size() == 1) {
            Kind kind = first.family() == Family.IP4 ? Kind.ADDRESS_IP4 : Kind.ADDRESS_IP6;
            return new PostgresqlCondition(kind, Map.of("address", SqlText.range(first)));
        }
        List<AddressRange> ip4 = ofFamily(anyOf, Family.IP4);
        List<AddressRange> ip6 = ofFamily(anyOf, Family.IP6);
        if (ip6.isEmpty()) {
            return new PostgresqlCondition(Kind.ADDRESS_IP4_LIST, Map.of("address", SqlText.multirange(ip4)));
        }
        if (ip4.isEmpty()) {
            return new PostgresqlCondition(Kind.ADDRESS_IP6_LIST, Map.of("address", SqlText.multirange(ip6)));
        }
        Map<String, String> both = Map.of("ip4", SqlText.multirange(ip4), "ip6", SqlText.multirange(ip6));
        return new PostgresqlCondition(Kind.ADDRESS_BOTH_LIST, both);
    }

    private static List<AddressRange> ofFamily(List<AddressRange> ranges, Family family) {
        return ranges.stream().filter(range -> range.family() == family).toList();
    }

    private static PostgresqlCondition beyond(Kind kind, PageKey key) {
        String detectTime = SqlText.timestamp(key.detectTime());
        return new PostgresqlCondition(kind, Map.of("detect_time", detectTime, "id", SqlText.clean(key.id())));
    }

    private static PostgresqlCondition text(Kind kind, String name, String value) {
        return new PostgresqlCondition(kind, Map.of(name, SqlText.clean(value)));
    }
}
