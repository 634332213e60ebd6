package siemload.database.layout;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
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
 * @param base the folders of siemload whose blocks it has where its own folder does not have them, the first one first
 * @param tables the first one has a row for each event; those that refer to others come behind them; none where a database has no tables
 * @param partitions what they are cut into
 * @param searched the collection or the index that is searched, where siemload loads none; else empty
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
    /** Characters: as long as a name can be that the server or siemload may make longer. */
    private static final int LONGEST_TABLE = 50;

    private static final int LONGEST_COLUMN = 63;

    /**
     * What the files of one database may say. Immutable.
     *
     * @param target the name of the database
     * @param rows what tables can have a row for; nothing where a database has no tables
     * @param hints which its searches can be given, the default first
     * @param hintsOfOthers those that name nothing of siemload's
     * @param folders the layouts of siemload that one of a user's own may rest on
     * @param taken what siemload itself calls other things beside the tables of a layout
     * @param searched the key that names what is searched without loading; empty where the tables do
     * @param refusal why that cannot be its name
     */
    public record Vocabulary(
            String target,
            List<Rows> rows,
            List<Hint> hints,
            List<Hint> hintsOfOthers,
            List<String> folders,
            Set<String> taken,
            String searched,
            Function<String, Optional<String>> refusal) {

        /**
         * Reads the text of one.
         *
         * @throws siemload.config.ConfigException with everything that is wrong
         */
        LayoutAbout read(String shownAs, String yaml, Problems problems) {
            return YamlDocument.parse(shownAs, yaml, problems, this::about);
        }

        private LayoutAbout about(YamlNode top) {
            top.required("description").text();
            top.required("target").choice(Choices.names(List.of(target)));
            boolean alone = top.optional("loading")
                    .map(node -> node.choice(Choices.names(List.of("events", "none")))
                            .equals("none"))
                    .orElse(false);
            List<String> bases = new ArrayList<>(folders);
            bases.addAll(alone ? List.of(ROWS) : List.of());
            return new LayoutAbout(
                    alone,
                    alone
                            ? asTheyAre(top, "indexes", List.of(IndexSet.NATIVE))
                            : offered(top.required("indexes"), Choices.of(IndexSet.class, IndexSet::label)),
                    hints(top, alone),
                    top.optional("paging")
                            .map(list -> offered(
                                    list, choices(List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR), Paging::label)))
                            .orElse(List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR)),
                    top.optional("base")
                            .map(list -> distinct(list, Choices.names(bases)))
                            .orElse(alone ? List.of(ROWS) : List.of()),
                    rows.isEmpty() ? List.of() : tables(top.required("tables"), alone),
                    rows.isEmpty() ? Partitions.NONE : partitions(top, alone),
                    searched.isEmpty() ? "" : searched(top, alone));
        }

        /** What users have made of their tables is not for siemload to say: notes a key that does. */
        private static <T> T asTheyAre(YamlNode top, String key, T standard) {
            top.optional(key)
                    .ifPresent(node -> node.problem(
                            "means nothing to a layout without loading, whose tables are as they are (leave it out)"));
            return standard;
        }

        private static Partitions partitions(YamlNode top, boolean alone) {
            return alone
                    ? asTheyAre(top, "partitions", Partitions.NONE)
                    : top.optional("partitions")
                            .map(node -> node.choice(Choices.of(Partitions.class, Partitions::label)))
                            .orElse(Partitions.NONE);
        }

        private List<Hint> hints(YamlNode top, boolean alone) {
            Optional<YamlNode> list = top.optional("hints");
            List<Hint> asked =
                    list.map(node -> offered(node, choices(hints, Hint::label))).orElse(List.of(Hint.NONE));
            list.filter(node -> !asked.isEmpty() && asked.get(0) != Hint.NONE)
                    .ifPresent(
                            node -> node.problem("begins with '" + asked.get(0).label()
                                    + "' (needed: none first, since a run that asks for no hint has none)"));
            list.filter(node -> alone && !hintsOfOthers.containsAll(asked))
                    .ifPresent(node ->
                            node.problem("names indexes of siemload's, which are not there (allowed without loading: "
                                    + hintsOfOthers.stream().map(Hint::label).collect(Collectors.joining(", ")) + ")"));
            return asked;
        }

        private String searched(YamlNode top, boolean alone) {
            if (!alone) {
                top.optional(searched)
                        .ifPresent(
                                node -> node.problem("means nothing to a layout with loading: siemload gives names to"
                                        + " what it makes (leave it out)"));
                return "";
            }
            YamlNode node = top.required(searched);
            refusal.apply(node.text()).ifPresent(why -> node.problem("'" + node.text() + "' " + why));
            return node.text();
        }

        private List<LayoutTable> tables(YamlNode node, boolean alone) {
            List<LayoutTable> tables = new ArrayList<>();
            node.entries().forEach((name, table) -> {
                if (!alone && taken.contains(name)) {
                    node.problemWithKey(
                            name, "is a name that siemload itself gives beside these tables (give it another one)");
                } else {
                    checkName(node, name, LONGEST_TABLE);
                }
                tables.add(table(name, table, alone));
            });
            if (node.isMapping() && (tables.isEmpty() || tables.size() > MOST_TABLES)) {
                node.problem("has " + tables.size() + " tables (allowed: 1 to " + MOST_TABLES + ")");
            }
            if (!tables.isEmpty() && tables.get(0).rows() != Rows.EVENTS) {
                node.problem("the first table has a row for each "
                        + tables.get(0).rows().one() + " (needed: first one with a row for each event)");
            }
            tables.stream()
                    .filter(table -> table.rows() == Rows.ADDRESSES)
                    .skip(1)
                    .findFirst()
                    .ifPresent(
                            second -> node.problemWithKey(
                                    second.name(),
                                    "is the second table with a row for each address (allowed: one, by which events are found)"));
            return tables;
        }

        private static void checkName(YamlNode node, String name, int longest) {
            if (!Pattern.matches("[a-z][a-z0-9_]{0," + (longest - 1) + "}", name)) {
                node.problemWithKey(
                        name,
                        "cannot be a name here (allowed: up to " + longest
                                + " lower case letters, digits and '_', a letter first)");
            }
        }

        private LayoutTable table(String name, YamlNode node, boolean alone) {
            Rows each = node.optional("rows")
                    .map(kind -> kind.choice(choices(rows, Rows::label)))
                    .orElse(Rows.EVENTS);
            if (alone && each != Rows.EVENTS) {
                node.problem(
                        "a layout without loading finds events by its conditions, not by a table of addresses (leave"
                                + " rows out)");
            }
            Map<String, EventField> columns = new LinkedHashMap<>();
            YamlNode list = node.required("columns");
            list.entries().forEach((column, filled) -> {
                checkName(list, column, LONGEST_COLUMN);
                EventField field = filled.choice(choices(List.of(EventField.values()), EventField::label));
                if (!field.fits(each)) {
                    filled.problem("'" + field.label() + "' cannot fill a column of a table with a row for each "
                            + each.one() + " (allowed: "
                            + Stream.of(EventField.values())
                                    .filter(other -> other.fits(each))
                                    .map(EventField::label)
                                    .collect(Collectors.joining(", "))
                            + ")");
                }
                columns.put(column, field);
            });
            if (list.isMapping() && !alone && !columns.containsValue(EventField.ID)) {
                list.problem("no column is filled by id (needed: one, by which the rows of an event are found)");
            }
            return new LayoutTable(name, each, columns);
        }

        private static <T> Choices<T> choices(List<T> known, Function<T, String> label) {
            Map<String, T> choices = new LinkedHashMap<>();
            known.forEach(one -> choices.put(label.apply(one), one));
            return new Choices<>(choices);
        }

        /** Each of these once; notes what stands there twice. */
        private static <T> List<T> distinct(YamlNode list, Choices<T> choices) {
            List<T> values = new ArrayList<>();
            for (YamlNode element : list.elements()) {
                T value = element.choice(choices);
                if (values.contains(value) && choices.find(element.written()).isPresent()) {
                    element.problem("'" + element.written() + "' stands here twice (leave one out)");
                }
                values.add(value);
            }
            return values;
        }

        private static <T> List<T> offered(YamlNode list, Choices<T> choices) {
            List<T> offered = distinct(list, choices);
            if (offered.isEmpty() && list.isList()) {
                list.problem("is empty (needed: at least one; the first is the default)");
            }
            return offered;
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
