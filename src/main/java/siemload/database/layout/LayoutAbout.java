package siemload.database.layout;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
 * @param loading what siemload stores
 * @param indexSets which it has, the default first
 * @param hints which it can follow, the default first
 * @param pagings which ways of paging it serves, the default first
 * @param base the folders of siemload whose blocks it has where its own folder does not have them, the first one first
 * @param tables the first one has a row for each event; those that refer to others come behind them; none where a database has no tables
 * @param partitions what they are cut into
 * @param searched the collection or the index that is searched, where siemload loads none; else empty
 */
public record LayoutAbout(
        Loading loading,
        List<IndexSet> indexSets,
        List<Hint> hints,
        List<Paging> pagings,
        List<String> base,
        List<LayoutTable> tables,
        Partitions partitions,
        String searched) {
    /** Files for searches over what others have made: a base of layouts without loading, and no layout by itself. */
    public static final String ROWS = "rows";

    private static final Choices<Loading> LOADINGS = Choices.of(Loading.class, Loading::label);
    private static final Choices<IndexSet> INDEXES = Choices.of(IndexSet.class, IndexSet::label);
    private static final Choices<Partitions> PARTITIONS = Choices.of(Partitions.class, Partitions::label);
    /** As long as a name can be that the server or siemload may make longer. */
    private static final Pattern TABLE = Pattern.compile("[a-z][a-z0-9_]{0,49}");

    private static final Pattern COLUMN = Pattern.compile("[a-z][a-z0-9_]{0,62}");
    /** The label of what rows of an event are found by. */
    private static final String ID = "id";

    private static final int MOST_TABLES = 20;

    public LayoutAbout {
        indexSets = List.copyOf(indexSets);
        hints = List.copyOf(hints);
        pagings = List.copyOf(pagings);
        base = List.copyOf(base);
        tables = List.copyOf(tables);
    }

    /** What siemload stores where a layout says. */
    public enum Loading {
        /** The events of data sets, which it also feeds. */
        EVENTS,
        /** Nothing: they are somebody's, and are searched alone. */
        NONE;

        /** The name in {@code layout.yaml}. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What the files of one database may say. Immutable.
     *
     * @param target the name of the database
     * @param rows what tables can have a row for; nothing where a database has no tables
     * @param hints which its searches can be given, the default first
     * @param hintsOfOthers those that name nothing of siemload's; none where it searches only what siemload has loaded
     * @param pagings which ways of paging its searches have
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
            List<Paging> pagings,
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
            Loading loading = top.optional("loading").map(this::loading).orElse(Loading.EVENTS);
            List<String> bases = new ArrayList<>(folders);
            if (loading == Loading.NONE) {
                bases.add(ROWS);
            }
            return new LayoutAbout(
                    loading,
                    indexes(top, loading),
                    hints(top, loading),
                    top.optional("paging")
                            .map(list -> offered(list, choices(pagings, Paging::label)))
                            .orElse(pagings),
                    top.optional("base")
                            .map(list -> distinct(list, Choices.names(bases)))
                            .orElse(loading == Loading.NONE ? List.of(ROWS) : List.of()),
                    rows.isEmpty() ? List.of() : tables(top.required("tables"), loading),
                    rows.isEmpty() ? Partitions.NONE : partitions(top, loading),
                    searched.isEmpty() ? "" : searched(top, loading));
        }

        private Loading loading(YamlNode node) {
            Loading loading = node.choice(LOADINGS);
            if (loading == Loading.NONE && hintsOfOthers.isEmpty()) {
                node.problem("'none' is not known for " + target
                        + ", whose tables are searched only where siemload has loaded them (leave it out)");
            }
            return loading;
        }

        private static List<IndexSet> indexes(YamlNode top, Loading loading) {
            return switch (loading) {
                case EVENTS -> offered(top.required("indexes"), INDEXES);
                case NONE ->
                    top.optional("indexes")
                            .map(list -> offered(asTheyAre(list, loading), INDEXES))
                            .orElse(List.of(IndexSet.NATIVE));
            };
        }

        private List<Hint> hints(YamlNode top, Loading loading) {
            Optional<YamlNode> list = top.optional("hints");
            List<Hint> asked =
                    list.map(node -> offered(node, choices(hints, Hint::label))).orElse(List.of(Hint.NONE));
            list.filter(node -> !asked.isEmpty() && asked.get(0) != Hint.NONE)
                    .ifPresent(
                            node -> node.problem("begins with '" + asked.get(0).label()
                                    + "' (needed: none first, since a run that asks for no hint has none)"));
            list.filter(node -> loading == Loading.NONE && !hintsOfOthers.containsAll(asked))
                    .ifPresent(node ->
                            node.problem("names indexes of siemload's, which are not there (allowed without loading: "
                                    + hintsOfOthers.stream().map(Hint::label).collect(Collectors.joining(", ")) + ")"));
            return asked;
        }

        private String searched(YamlNode top, Loading loading) {
            return switch (loading) {
                case EVENTS -> {
                    top.optional(searched)
                            .ifPresent(node ->
                                    node.problem("means nothing to a layout with loading: siemload gives names to"
                                            + " what it makes (leave it out)"));
                    yield "";
                }
                case NONE -> {
                    YamlNode node = top.required(searched);
                    refusal.apply(node.text()).ifPresent(why -> node.problem("'" + node.text() + "' " + why));
                    yield node.text();
                }
            };
        }

        private static Partitions partitions(YamlNode top, Loading loading) {
            return top.optional("partitions")
                    .map(node -> asTheyAre(node, loading).choice(PARTITIONS))
                    .orElse(Partitions.NONE);
        }

        private List<LayoutTable> tables(YamlNode node, Loading loading) {
            List<LayoutTable> tables = new ArrayList<>();
            node.entries().forEach((name, table) -> {
                refusalOfTable(name, loading).ifPresent(why -> node.problemWithKey(name, why));
                tables.add(table(name, table, loading));
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

        private Optional<String> refusalOfTable(String name, Loading loading) {
            return loading == Loading.EVENTS && taken.contains(name)
                    ? Optional.of("is a name that siemload itself gives beside these tables (give it another one)")
                    : refusal(name, TABLE, 50);
        }

        private static Optional<String> refusal(String name, Pattern pattern, int most) {
            return pattern.matcher(name).matches()
                    ? Optional.empty()
                    : Optional.of("cannot be a name here (allowed: up to " + most
                            + " lower case letters, digits and '_', a letter first)");
        }

        private LayoutTable table(String name, YamlNode node, Loading loading) {
            Rows each = node.optional("rows")
                    .map(kind -> kind.choice(choices(rows, Rows::label)))
                    .orElse(Rows.EVENTS);
            if (loading == Loading.NONE && each != Rows.EVENTS) {
                node.problem(
                        "a layout without loading finds events by its conditions, not by a table of addresses (leave"
                                + " rows out)");
            }
            Map<String, StoredField> columns = new LinkedHashMap<>();
            YamlNode list = node.required("columns");
            list.entries().forEach((column, filled) -> {
                refusal(column, COLUMN, 63).ifPresent(why -> list.problemWithKey(column, why));
                StoredField field = filled.choice(choices(List.of(StoredField.values()), StoredField::label));
                if (!field.fits(each)) {
                    filled.problem("'" + field.label() + "' cannot fill a column of a table with a row for each "
                            + each.one() + " (allowed: " + fitting(each) + ")");
                }
                columns.put(column, field);
            });
            if (list.isMapping()
                    && loading == Loading.EVENTS
                    && columns.values().stream()
                            .noneMatch(field -> field.label().equals(ID))) {
                list.problem("no column is filled by id (needed: one, by which the rows of an event are found)");
            }
            return new LayoutTable(name, each, columns);
        }

        private static String fitting(Rows each) {
            return Stream.of(StoredField.values())
                    .filter(field -> field.fits(each))
                    .map(StoredField::label)
                    .collect(Collectors.joining(", "));
        }

        /** What users have made of their tables is not for siemload to say: notes a key that does. */
        private static YamlNode asTheyAre(YamlNode node, Loading loading) {
            if (loading == Loading.NONE) {
                node.problem("means nothing to a layout without loading, whose tables are as they are (leave it out)");
            }
            return node;
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

    /** Whether it says how to search events that are there already, and neither loads nor feeds any. */
    public boolean isForSearchesAlone() {
        return loading == Loading.NONE;
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
