package siemload.database.sql.layout;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.database.Hint;
import siemload.database.Partitions;
import siemload.database.layout.LayoutOffer;
import siemload.database.layout.Loading;
import siemload.database.sql.layout.LayoutTable.Rows;
import siemload.query.Paging;

/**
 * Reads {@code layout.yaml} of one database. Immutable.
 *
 * @param target the name of the database
 * @param fields what can fill a column
 * @param rows what tables can have a row for
 * @param hints which its searches can be given
 * @param pagings which ways of paging its searches have
 * @param folders the layouts of siemload that one of a user's own may rest on
 * @param taken what siemload itself calls other things beside the tables of a layout
 */
public record LayoutReader<F extends StoredValue>(
        String target,
        List<F> fields,
        List<Rows> rows,
        List<Hint> hints,
        List<Paging> pagings,
        List<String> folders,
        Set<String> taken) {
    /** The frames of searches over rows of any table: a base of layouts without loading, and no layout by itself. */
    public static final String ROWS = "rows";

    private static final Choices<Partitions> PARTITIONS = Choices.of(Partitions.class, Partitions::label);

    /** As long as a name can be that the server or siemload may make longer. */
    private static final Pattern TABLE = Pattern.compile("[a-z][a-z0-9_]{0,49}");

    private static final Pattern COLUMN = Pattern.compile("[a-z][a-z0-9_]{0,62}");

    /** The label of what rows of an event are found by. */
    private static final String ID = "id";

    private static final int MOST_TABLES = 20;

    public LayoutReader {
        fields = List.copyOf(fields);
        rows = List.copyOf(rows);
        hints = List.copyOf(hints);
        pagings = List.copyOf(pagings);
        folders = List.copyOf(folders);
        taken = Set.copyOf(taken);
    }

    /**
     * Reads the text of one.
     *
     * @throws siemload.config.ConfigException with everything that is wrong
     */
    public LayoutAbout<F> read(String shownAs, String yaml, Problems problems) {
        return YamlDocument.parse(shownAs, yaml, problems, this::about);
    }

    private LayoutAbout<F> about(YamlNode top) {
        LayoutOffer offer = LayoutOffer.read(top, target, hints, pagings);
        Loading loading = offer.loading();
        List<String> base = top.optional("base")
                .map(list -> withoutRows(LayoutOffer.distinct(list, Choices.names(bases())), list, loading))
                .orElse(loading == Loading.NONE ? List.of(ROWS) : List.of());
        return new LayoutAbout<>(offer, base, tables(top.required("tables"), loading), partitions(top, loading));
    }

    private List<String> bases() {
        return Stream.concat(folders.stream(), Stream.of(ROWS)).toList();
    }

    private List<String> withoutRows(List<String> base, YamlNode list, Loading loading) {
        if (loading == Loading.EVENTS && base.contains(ROWS)) {
            list.problem(
                    "'" + ROWS + "' is for layouts with loading: none (allowed: " + String.join(", ", folders) + ")");
        }
        return base;
    }

    private Partitions partitions(YamlNode top, Loading loading) {
        return top.optional("partitions")
                .map(node -> LayoutOffer.asTheyAre(node, loading).choice(PARTITIONS))
                .orElse(Partitions.NONE);
    }

    private List<LayoutTable<F>> tables(YamlNode node, Loading loading) {
        List<LayoutTable<F>> tables = new ArrayList<>();
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
        List<LayoutTable<F>> ofAddresses =
                tables.stream().filter(table -> table.rows() == Rows.ADDRESSES).toList();
        if (ofAddresses.size() > 1) {
            node.problemWithKey(
                    ofAddresses.get(1).name(),
                    "is the second table with a row for each address (allowed: one, by which events are found)");
        }
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

    private LayoutTable<F> table(String name, YamlNode node, Loading loading) {
        Rows each = node.optional("rows")
                .map(kind -> kind.choice(LayoutOffer.choices(rows, Rows::label)))
                .orElse(Rows.EVENTS);
        if (loading == Loading.NONE && each != Rows.EVENTS) {
            node.problem("a layout without loading finds events by its conditions, not by a table of addresses (leave"
                    + " rows out)");
        }
        Map<String, F> columns = new LinkedHashMap<>();
        YamlNode list = node.required("columns");
        list.entries().forEach((column, filled) -> {
            refusal(column, COLUMN, 63).ifPresent(why -> list.problemWithKey(column, why));
            F field = filled.choice(LayoutOffer.choices(fields, StoredValue::label));
            if (!field.fits(each)) {
                filled.problem("'" + field.label() + "' cannot fill a column of a table with a row for each "
                        + each.one() + " (allowed: " + fitting(each) + ")");
            }
            columns.put(column, field);
        });
        if (list.isMapping()
                && loading == Loading.EVENTS
                && columns.values().stream().noneMatch(field -> field.label().equals(ID))) {
            list.problem("no column is filled by id (needed: one, by which the rows of an event are found)");
        }
        return new LayoutTable<>(name, each, columns);
    }

    private String fitting(Rows each) {
        return fields.stream()
                .filter(field -> field.fits(each))
                .map(StoredValue::label)
                .collect(Collectors.joining(", "));
    }
}
