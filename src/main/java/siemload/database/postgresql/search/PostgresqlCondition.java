package siemload.database.postgresql.search;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.layout.Networks;
import siemload.database.postgresql.layout.SqlText;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.AnyOf;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DescriptionIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.Missing;
import siemload.query.Criterion.PortBetween;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;
import siemload.query.EventPart;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.PageKey;
import siemload.query.Window;

/**
 * One condition of a search with its values. Each kind is a file of the layout.
 *
 * @param given the values for its files, in the order of the files in the SQL
 */
record PostgresqlCondition(ConditionShape shape, List<Given> given) {

    /** @param values by their names in the file */
    private PostgresqlCondition(Kind kind, Map<String, String> values) {
        this(kind, List.of(new Given(kind, values)));
    }

    /** What conditions are about. */
    enum Subject {
        TIME,
        /** Addresses in the row of the event. */
        ADDRESS,
        /** Addresses in their own table. */
        LOOKUP,
        /** The time beside the JSON of an event, where the JSON lies in partitions. */
        JSON,
        OTHER
    }

    /** The kinds, each with the file of its name. */
    enum Kind implements ConditionShape {
        WINDOW(Subject.TIME),
        AFTER_KEY(Subject.TIME),
        BEFORE_KEY(Subject.TIME),
        ADDRESS_IP4(Subject.ADDRESS),
        ADDRESS_IP6(Subject.ADDRESS),
        ADDRESS_IP4_LIST(Subject.ADDRESS),
        ADDRESS_IP6_LIST(Subject.ADDRESS),
        ADDRESS_BOTH_LIST(Subject.ADDRESS),
        CATEGORY(Subject.OTHER),
        DETECTOR(Subject.OTHER),
        PORT(Subject.OTHER),
        PORT_BETWEEN(Subject.OTHER),
        NO_ADDRESS(Subject.OTHER),
        NO_PORT(Subject.OTHER),
        NO_CATEGORY(Subject.OTHER),
        NO_DESCRIPTION(Subject.OTHER),
        TEXT(Subject.OTHER),
        DESCRIPTION(Subject.OTHER),
        ONE_SIDE_IP4(Subject.ADDRESS),
        ONE_SIDE_IP6(Subject.ADDRESS),
        ID(Subject.OTHER),
        NETWORKS(Subject.LOOKUP),
        RANGE(Subject.LOOKUP),
        NETWORKS_WINDOW(Subject.LOOKUP),
        RANGE_WINDOW(Subject.LOOKUP),
        JSON_WINDOW(Subject.JSON),
        SOURCE_IP4(ADDRESS_IP4, EventSide.SOURCE),
        SOURCE_IP6(ADDRESS_IP6, EventSide.SOURCE),
        SOURCE_IP4_LIST(ADDRESS_IP4_LIST, EventSide.SOURCE),
        SOURCE_IP6_LIST(ADDRESS_IP6_LIST, EventSide.SOURCE),
        SOURCE_BOTH_LIST(ADDRESS_BOTH_LIST, EventSide.SOURCE),
        SOURCE_PORT(PORT, EventSide.SOURCE),
        SOURCE_PORT_BETWEEN(PORT_BETWEEN, EventSide.SOURCE),
        SOURCE_NO_ADDRESS(NO_ADDRESS, EventSide.SOURCE),
        SOURCE_NO_PORT(NO_PORT, EventSide.SOURCE),
        SOURCE_NETWORKS(NETWORKS, EventSide.SOURCE),
        SOURCE_RANGE(RANGE, EventSide.SOURCE),
        SOURCE_NETWORKS_WINDOW(NETWORKS_WINDOW, EventSide.SOURCE),
        SOURCE_RANGE_WINDOW(RANGE_WINDOW, EventSide.SOURCE),
        TARGET_IP4(ADDRESS_IP4, EventSide.TARGET),
        TARGET_IP6(ADDRESS_IP6, EventSide.TARGET),
        TARGET_IP4_LIST(ADDRESS_IP4_LIST, EventSide.TARGET),
        TARGET_IP6_LIST(ADDRESS_IP6_LIST, EventSide.TARGET),
        TARGET_BOTH_LIST(ADDRESS_BOTH_LIST, EventSide.TARGET),
        TARGET_PORT(PORT, EventSide.TARGET),
        TARGET_PORT_BETWEEN(PORT_BETWEEN, EventSide.TARGET),
        TARGET_NO_ADDRESS(NO_ADDRESS, EventSide.TARGET),
        TARGET_NO_PORT(NO_PORT, EventSide.TARGET),
        TARGET_NETWORKS(NETWORKS, EventSide.TARGET),
        TARGET_RANGE(RANGE, EventSide.TARGET),
        TARGET_NETWORKS_WINDOW(NETWORKS_WINDOW, EventSide.TARGET),
        TARGET_RANGE_WINDOW(RANGE_WINDOW, EventSide.TARGET);

        private static final Map<EventSide, Map<Kind, Kind>> OF_ONE_SIDE = ofOneSide();

        private final Subject subject;
        private final String file;
        /** The same about either side; this one itself if it is. */
        private final Kind about;

        private final EventSide side;

        Kind(Subject subject) {
            this.subject = subject;
            about = this;
            side = EventSide.EITHER;
            file = file(name());
        }

        /** Lookups differ in a part of their file alone. */
        Kind(Kind about, EventSide side) {
            subject = about.subject;
            this.about = about;
            this.side = side;
            file = subject == Subject.LOOKUP ? about.file : file(name());
        }

        private static String file(String name) {
            return "condition-" + name.toLowerCase(Locale.ROOT).replace('_', '-');
        }

        private static Map<EventSide, Map<Kind, Kind>> ofOneSide() {
            Map<EventSide, Map<Kind, Kind>> ofOneSide = new EnumMap<>(EventSide.class);
            for (Kind kind : values()) {
                ofOneSide
                        .computeIfAbsent(kind.side, unused -> new EnumMap<>(Kind.class))
                        .put(kind.about, kind);
            }
            return ofOneSide;
        }

        /** The same about this side alone; itself for either. */
        Kind on(EventSide wanted) {
            return Objects.requireNonNull(
                    OF_ONE_SIDE.getOrDefault(wanted, Map.of()).get(this));
        }

        EventSide side() {
            return side;
        }

        Subject subject() {
            return subject;
        }

        String sql(Layout layout) {
            return layout.read(file).sql();
        }

        /** The SQL of a kind that has parts, which the layouts put together in ways of their own. */
        String sql(Layout layout, Map<String, String> parts) {
            return layout.read(file, parts).sql();
        }
    }

    /**
     * The values of one file.
     *
     * @param values in text form by their names in the file
     */
    record Given(Kind kind, Map<String, String> values) {
        Given {
            values = Map.copyOf(values);
        }
    }

    /** Appends the values in the order of the places in the SQL of the layout. */
    void addValuesTo(List<String> list, Layout layout) {
        for (Given file : given) {
            for (String name : layout.read(file.kind.file).values()) {
                list.add(Objects.requireNonNull(file.values.get(name), name));
            }
        }
    }

    static PostgresqlCondition of(Window window) {
        return between(Kind.WINDOW, window);
    }

    /** The same for the JSON of the events. */
    static PostgresqlCondition ofJson(Window window) {
        return between(Kind.JSON_WINDOW, window);
    }

    private static PostgresqlCondition between(Kind kind, Window window) {
        String from = SqlText.timestamp(window.from());
        return new PostgresqlCondition(kind, Map.of("from", from, "until", SqlText.timestamp(window.until())));
    }

    /** What comes behind the last row of a page, in the order of the search. */
    static PostgresqlCondition behind(PageKey key, Order order) {
        Kind kind = order == Order.OLDEST_FIRST ? Kind.AFTER_KEY : Kind.BEFORE_KEY;
        String detectTime = SqlText.timestamp(key.detectTime());
        return new PostgresqlCondition(kind, Map.of("detect_time", detectTime, "id", SqlText.clean(key.id())));
    }

    static PostgresqlCondition of(Criterion criterion) {
        if (criterion instanceof AddressFigured figured) {
            return addresses(figured.anyOf(), figured.side());
        } else if (criterion instanceof CategoryIs is) {
            return text(Kind.CATEGORY, "category", is.category());
        } else if (criterion instanceof DetectorIs is) {
            return text(Kind.DETECTOR, "detector", is.nodeName());
        } else if (criterion instanceof PortUsed used) {
            return new PostgresqlCondition(Kind.PORT.on(used.side()), Map.of("port", Integer.toString(used.port())));
        } else if (criterion instanceof PortBetween between) {
            return new PostgresqlCondition(
                    Kind.PORT_BETWEEN.on(between.side()),
                    Map.of("first", Integer.toString(between.first()), "last", Integer.toString(between.last())));
        } else if (criterion instanceof Missing missing) {
            return new PostgresqlCondition(missing(missing.part()).on(missing.side()), Map.of());
        } else if (criterion instanceof AnyOf anyOf) {
            return anyOf(anyOf.groups());
        } else if (criterion instanceof AddressAndPortOnOneSide both) {
            Kind kind = both.address().family() == Family.IP4 ? Kind.ONE_SIDE_IP4 : Kind.ONE_SIDE_IP6;
            String port = Integer.toString(both.port());
            return new PostgresqlCondition(kind, Map.of("address", SqlText.range(both.address()), "port", port));
        } else if (criterion instanceof TextContains contains) {
            return text(Kind.TEXT, "text", contains.text());
        } else if (criterion instanceof DescriptionIs is) {
            return text(Kind.DESCRIPTION, "text", is.text());
        } else if (criterion instanceof IdIs is) {
            return text(Kind.ID, "id", is.id());
        }
        throw new AssertionError("a kind of criterion without SQL: " + criterion);
    }

    private static Kind missing(EventPart part) {
        return switch (part) {
            case ADDRESS -> Kind.NO_ADDRESS;
            case PORT -> Kind.NO_PORT;
            case CATEGORY -> Kind.NO_CATEGORY;
            case DESCRIPTION -> Kind.NO_DESCRIPTION;
        };
    }

    /** By the row of the event alone: what its addresses have in their own table is for what every event must meet. */
    private static PostgresqlCondition anyOf(List<List<Criterion>> groups) {
        List<List<ConditionShape>> shapes = new ArrayList<>();
        List<Given> values = new ArrayList<>();
        for (List<Criterion> group : groups) {
            List<ConditionShape> together = new ArrayList<>();
            for (Criterion criterion : group) {
                PostgresqlCondition condition = of(criterion);
                together.add(condition.shape());
                values.addAll(condition.given());
            }
            shapes.add(together);
        }
        return new PostgresqlCondition(new ConditionShape.AnyOf(shapes), values);
    }

    /**
     * How the layout {@code address} finds the events in which an address may have figured, by its own table: empty if the
     * criterion is about no address. The events still have to meet the exact condition, since the table knows networks only,
     * and no port.
     */
    static Optional<PostgresqlCondition> lookup(Criterion criterion, Window window) {
        if (criterion instanceof AddressFigured figured) {
            return Optional.of(lookup(figured.anyOf(), figured.side(), window));
        } else if (criterion instanceof AddressAndPortOnOneSide both) {
            return Optional.of(lookup(List.of(both.address()), EventSide.EITHER, window));
        }
        return Optional.empty();
    }

    private static PostgresqlCondition lookup(Collection<AddressRange> anyOf, EventSide side, Window window) {
        Set<AddressRange> networks = new LinkedHashSet<>();
        anyOf.forEach(range -> networks.addAll(Networks.around(range)));
        Map<String, String> values = new HashMap<>();
        values.put("networks", Networks.array(networks));
        List<AddressRange> wide =
                anyOf.stream().filter(range -> !range.isSingle()).toList();
        if (!wide.isEmpty()) {
            values.put("first", Collections.min(wide).first().toString());
            values.put(
                    "last",
                    wide.stream()
                            .map(AddressRange::last)
                            .max(Comparator.naturalOrder())
                            .orElseThrow()
                            .toString());
        }
        if (window.isAlways()) {
            return new PostgresqlCondition((wide.isEmpty() ? Kind.NETWORKS : Kind.RANGE).on(side), values);
        }
        values.put("from", SqlText.timestamp(window.from()));
        values.put("until", SqlText.timestamp(window.until()));
        Kind kind = wide.isEmpty() ? Kind.NETWORKS_WINDOW : Kind.RANGE_WINDOW;
        return new PostgresqlCondition(kind.on(side), values);
    }

    private static PostgresqlCondition addresses(List<AddressRange> anyOf, EventSide side) {
        AddressRange first = anyOf.get(0);
        if (anyOf.size() == 1) {
            Kind kind = first.family() == Family.IP4 ? Kind.ADDRESS_IP4 : Kind.ADDRESS_IP6;
            return new PostgresqlCondition(kind.on(side), Map.of("address", SqlText.range(first)));
        }
        List<AddressRange> ip4 = ofFamily(anyOf, Family.IP4);
        List<AddressRange> ip6 = ofFamily(anyOf, Family.IP6);
        if (ip6.isEmpty()) {
            return new PostgresqlCondition(Kind.ADDRESS_IP4_LIST.on(side), Map.of("address", SqlText.multirange(ip4)));
        }
        if (ip4.isEmpty()) {
            return new PostgresqlCondition(Kind.ADDRESS_IP6_LIST.on(side), Map.of("address", SqlText.multirange(ip6)));
        }
        Map<String, String> both = Map.of("ip4", SqlText.multirange(ip4), "ip6", SqlText.multirange(ip6));
        return new PostgresqlCondition(Kind.ADDRESS_BOTH_LIST.on(side), both);
    }

    private static List<AddressRange> ofFamily(List<AddressRange> ranges, Family family) {
        return ranges.stream().filter(range -> range.family() == family).toList();
    }

    private static PostgresqlCondition text(Kind kind, String name, String value) {
        return new PostgresqlCondition(kind, Map.of(name, SqlText.clean(value)));
    }
}
