package siemload.database.layout;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.ValueType;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.database.Abilities;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.layout.LayoutTable.Rows;
import siemload.query.Paging;

/**
 * What {@code layout.yaml} says. Immutable.
 *
 * @param isForSearchesAlone whether it says how to search events that are there already, and neither loads nor feeds any
 * @param indexSets which it has, the default first
 * @param hints which it can follow, the default first
 * @param pagings which ways of paging it serves, the default first
 * @param base the folders of siemload whose blocks it has where its own folder does not have them, the first one first, which also says what
 *     {@code layout.yaml} leaves out
 * @param tables the first one has a row for each event; those that refer to others come behind them; none where a database has no tables
 * @param partitions what they are cut into
 * @param searched the index that is searched, where siemload loads none; else empty
 */
public record LayoutAbout(
        boolean isForSearchesAlone,
        List<IndexSet> indexSets,
        List<Hint> hints,
        List<Paging> pagings,
        List<String> base,
        List<LayoutTable> tables,
        Partitions partitions,
        String searched) {
    /** Files for searches over what others have made: a base of layouts without loading, and no layout by itself. */
    public static final String ROWS = "rows";

    private static final int MOST_TABLES = 20;
    /** As long as a name can be that the server or siemload may make longer. */
    private static final int LONGEST_TABLE = 50;

    private static final int LONGEST_COLUMN = 63;

    /** What siemload does with the events of a layout. */
    enum Loading {
        EVENTS,
        NONE
    }

    /** What a file says. */
    record Written(
            String description,
            @Key(allowed = "target") String target,
            @Key(standard = "events") Loading loading,
            Optional<List<IndexSet>> indexes,
            Optional<List<Hint>> hints,
            Optional<List<Paging>> paging,
            @Key(allowed = "base") Optional<List<String>> base,
            @Key(allowed = "tables") Optional<Map<String, Table>> tables,
            Optional<Partitions> partitions,
            @Key(allowed = "searched") Optional<String> index) {
        Written {
            hints.map(all -> all.get(0)).filter(first -> first != Hint.NONE).ifPresent(first -> {
                throw new Misfit(
                        "hints",
                        "begins with '" + first.label()
                                + "' (needed: none first, since a run that asks for no hint has none)");
            });
            Map<String, Table> all = tables.orElse(Map.of());
            List<String> ofAddresses = all.entrySet().stream()
                    .filter(table -> table.getValue().rows == Rows.ADDRESSES)
                    .map(Map.Entry::getKey)
                    .toList();
            if (tables.isPresent() && (all.isEmpty() || all.size() > MOST_TABLES)) {
                throw new Misfit("tables", "has " + all.size() + " tables (allowed: 1 to " + MOST_TABLES + ")");
            } else if (!ofAddresses.isEmpty() && loading == Loading.NONE) {
                throw new Misfit(
                        "tables." + ofAddresses.get(0),
                        "a layout without loading finds events by its conditions, not by a table of addresses (leave rows"
                                + " out)");
            } else if (!all.isEmpty() && all.values().iterator().next().rows == Rows.ADDRESSES) {
                throw new Misfit(
                        "tables",
                        "the first table has a row for each address (needed: first one with a row for each event)");
            } else if (ofAddresses.size() > 1) {
                throw new Misfit(
                        "tables." + ofAddresses.get(1),
                        "is the second table with a row for each address (allowed: one, by which events are found)");
            }
            all.forEach((name, table) -> {
                if (loading == Loading.EVENTS && !table.columns.containsValue(EventField.ID)) {
                    throw new Misfit(
                            "tables." + name + ".columns",
                            "no column is filled by id (needed: one, by which the rows of an event are found)");
                }
            });
        }
    }

    /** What a file says of one of its tables. */
    record Table(
            @Key(standard = "events") Rows rows,
            @Key(allowed = "columns") Map<String, EventField> columns) {
        Table {
            columns.forEach((column, field) -> {
                if (!field.fits(rows)) {
                    throw new Misfit(
                            "columns." + column,
                            "'" + field.label() + "' cannot fill a column of a table with a row for each "
                                    + rows.one() + " (allowed: "
                                    + Stream.of(EventField.values())
                                            .filter(other -> other.fits(rows))
                                            .map(EventField::label)
                                            .collect(Collectors.joining(", "))
                                    + ")");
                }
            });
        }
    }

    /**
     * What the files of one database may say. Immutable.
     *
     * @param target the name of the database
     * @param hints which its searches can be given, the default first
     * @param hintsOfOthers those that name nothing of siemload's
     * @param folders the layouts of siemload that one of a user's own may rest on
     * @param taken what siemload itself calls other things beside the tables of a layout
     * @param searched the key that names what is searched without loading, or {@link #TABLES}; empty where nothing is
     * @param refusal why that cannot be its name
     */
    public record Vocabulary(
            String target,
            List<Hint> hints,
            List<Hint> hintsOfOthers,
            List<String> folders,
            Set<String> taken,
            String searched,
            Function<String, Optional<String>> refusal) {
        /** The key of the tables that a database has. */
        public static final String TABLES = "tables";

        /**
         * Reads the text of one.
         *
         * @param builtIn what siemload's own one of this name says
         * @throws siemload.config.ConfigException with everything that is wrong
         */
        LayoutAbout read(String shownAs, String yaml, Problems problems, Function<String, LayoutAbout> builtIn) {
            return YamlDocument.parse(shownAs, yaml, problems, top -> about(top, builtIn));
        }

        private LayoutAbout about(YamlNode top, Function<String, LayoutAbout> builtIn) {
            Optional<YamlNode> none =
                    top.peek("loading").filter(node -> node.written().equals("none"));
            boolean alone = none.isPresent() && !searched.isEmpty();
            if (!alone) {
                none.ifPresent(node -> node.problem("'none' is not for " + target + " (allowed: events)"));
            }
            Optional<Written> written = records(alone).record(top, Written.class);
            boolean rests = !alone && top.peek("base").isPresent();
            Set<String> meant = alone
                    ? Set.of(searched)
                    : hasTables() ? Set.of("indexes", TABLES, "partitions") : Set.of("indexes");
            for (String key : List.of("indexes", TABLES, "partitions", "index")) {
                if (!meant.contains(key)) {
                    top.peek(key)
                            .ifPresent(node -> node.problem("means nothing to a layout" + (alone ? " without" : " with")
                                    + " loading of " + target + " (leave it out)"));
                } else if (!rests && !key.equals("partitions")) {
                    top.required(key);
                }
            }
            Written good = written.orElseThrow(() -> new IllegalArgumentException("no layout"));
            List<String> bases = good.base.orElse(alone ? List.of(ROWS) : List.of());
            Optional<LayoutAbout> base =
                    bases.stream().filter(name -> rests).findFirst().map(builtIn);
            return new LayoutAbout(
                    alone,
                    good.indexes.or(() -> base.map(LayoutAbout::indexSets)).orElse(List.of(IndexSet.NATIVE)),
                    good.hints.or(() -> base.map(LayoutAbout::hints)).orElse(List.of(Hint.NONE)),
                    good.paging.or(() -> base.map(LayoutAbout::pagings)).orElse(List.of(Paging.values())),
                    bases,
                    good.tables
                            .map(Vocabulary::tables)
                            .or(() -> base.map(LayoutAbout::tables))
                            .orElse(List.of()),
                    good.partitions.or(() -> base.map(LayoutAbout::partitions)).orElse(Partitions.NONE),
                    good.index.orElse(""));
        }

        private static List<LayoutTable> tables(Map<String, Table> written) {
            List<LayoutTable> tables = new ArrayList<>();
            written.forEach((name, table) -> tables.add(new LayoutTable(name, table.rows, table.columns)));
            return tables;
        }

        private boolean hasTables() {
            return searched.equals(TABLES);
        }

        private YamlRecords records(boolean alone) {
            List<String> bases = Stream.concat(folders.stream(), Stream.of(ROWS).filter(rows -> alone))
                    .toList();
            Map<String, Hint> known = new LinkedHashMap<>();
            (alone ? hintsOfOthers : hints).forEach(hint -> known.put(hint.label(), hint));
            YamlRecords records = new YamlRecords(value -> {})
                    .with("target", ValueType.choice(Choices.names(List.of(target))))
                    .with("base", ValueType.choice(Choices.names(bases)))
                    .with("searched", name(name -> refusal.apply(name).map(why -> "'" + name + "' " + why)))
                    .with(Hint.class, ValueType.choice(new Choices<>(known)));
            ValueType<EventField> fields = ValueType.choice(Choices.of(EventField.class, EventField::label));
            ValueType<String> tables = name(name -> taken.contains(name) && !alone
                    ? Optional.of("is a name that siemload itself gives beside these tables (give it another one)")
                    : refusal(name, LONGEST_TABLE));
            ValueType<String> columns = name(name -> refusal(name, LONGEST_COLUMN));
            return records.reading(
                            List.class,
                            (list, type, allowed) -> distinct(
                                    list, element -> records.value(element, records.keys(type, allowed)), allowed))
                    .reading(
                            Map.class,
                            (map, type, allowed) -> allowed.equals(TABLES)
                                    ? records.map(map, tables, table -> records.record(table, Table.class))
                                    : records.map(map, columns, column -> records.value(column, fields)));
        }

        private static ValueType<String> name(Function<String, Optional<String>> refusal) {
            return ValueType.of("a name", "", name -> {
                refusal.apply(name).ifPresent(why -> {
                    throw new IllegalArgumentException(why);
                });
                return name;
            });
        }

        private static Optional<String> refusal(String name, int longest) {
            return name.matches("[a-z][a-z0-9_]{0," + (longest - 1) + "}")
                    ? Optional.empty()
                    : Optional.of("cannot be a name here (allowed: up to " + longest
                            + " lower case letters, digits and '_', a letter first)");
        }

        /** Each of these once. */
        private static Optional<?> distinct(YamlNode list, Function<YamlNode, Optional<?>> value, String allowed) {
            Set<Object> values = new LinkedHashSet<>();
            for (YamlNode element : list.elements()) {
                if (value.apply(element).filter(one -> !values.add(one)).isPresent()) {
                    element.problem("'" + element.written() + "' stands here twice (leave one out)");
                }
            }
            if (list.isList() && list.elements().isEmpty() && !allowed.equals("base")) {
                list.problem("is empty (needed: at least one; the first is the default)");
            }
            boolean good = values.size() == list.elements().size() && (!values.isEmpty() || allowed.equals("base"));
            return good ? Optional.of(List.copyOf(values)) : Optional.empty();
        }
    }

    public LayoutAbout {
        indexSets = List.copyOf(indexSets);
        hints = List.copyOf(hints);
        pagings = List.copyOf(pagings);
        base = List.copyOf(base);
        tables = List.copyOf(tables);
    }

    /** Whether the rows of each day lie in a partition of their own. */
    public boolean isByDay() {
        return partitions == Partitions.DAY;
    }

    /** Whether events are found by a table of addresses. */
    public boolean hasAddressTable() {
        return tables.stream().anyMatch(table -> table.rows() == Rows.ADDRESSES);
    }

    /**
     * What a target offers with a layout of one's own that says this.
     *
     * @param usual what the target offers with its own ones
     */
    public Abilities abilities(LayoutFolder folder, Abilities usual) {
        return new Abilities(
                List.of(folder.label()),
                List.of(partitions),
                indexSets,
                hints,
                pagings,
                usual.provisions(),
                usual.bytesPerEvent());
    }
}
