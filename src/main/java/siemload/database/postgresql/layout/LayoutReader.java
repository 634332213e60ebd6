package siemload.database.postgresql.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.database.Hint;
import siemload.database.Partitions;
import siemload.database.layout.LayoutOffer;
import siemload.database.layout.Loading;
import siemload.database.postgresql.layout.LayoutTable.Rows;

/** Reads {@code layout.yaml}. Stateless. */
final class LayoutReader {
    private static final String TARGET = "postgresql";
    private static final Choices<StoredField> FIELDS = Choices.of(StoredField.class, StoredField::label);
    private static final Choices<Rows> ROWS = Choices.of(Rows.class, Rows::label);
    private static final Choices<Partitions> PARTITIONS = Choices.of(Partitions.class, Partitions::label);
    private static final List<Hint> HINTS =
            List.of(Hint.NONE, Hint.FULL_SCAN, Hint.FULL_SCAN_PARALLEL, Hint.INDEX, Hint.TIME_INDEX);

    /** The name of a partition is that of the table and eight digits more, and one of PostgreSQL has up to 63 characters. */
    private static final Pattern TABLE = Pattern.compile("[a-z][a-z0-9_]{0,49}");

    private static final Pattern COLUMN = Pattern.compile("[a-z][a-z0-9_]{0,62}");
    /** The table that trends go to lies beside those of a layout. */
    private static final Set<String> TAKEN = Set.of("trend_line");

    private static final int MOST_TABLES = 20;

    private LayoutReader() {}

    /**
     * Reads the text of one.
     *
     * @param folders those of siemload that it may rest on
     * @throws siemload.config.ConfigException with everything that is wrong
     */
    static LayoutAbout read(String shownAs, String yaml, List<String> folders, Problems problems) {
        return YamlDocument.parse(shownAs, yaml, problems, top -> about(top, Choices.names(folders)));
    }

    private static LayoutAbout about(YamlNode top, Choices<String> folders) {
        LayoutOffer offer = LayoutOffer.read(top, TARGET, HINTS);
        Loading loading = offer.loading();
        List<String> base = top.optional("base")
                .map(list -> withoutRows(LayoutOffer.distinct(list, folders), list, loading))
                .orElse(loading == Loading.NONE ? List.of(LayoutFolders.ROWS) : List.of());
        return new LayoutAbout(offer, base, tables(top.required("tables"), loading), partitions(top, loading));
    }

    private static List<String> withoutRows(List<String> base, YamlNode list, Loading loading) {
        if (loading == Loading.EVENTS && base.contains(LayoutFolders.ROWS)) {
            list.problem("'" + LayoutFolders.ROWS + "' is for layouts with loading: none (allowed: "
                    + String.join(", ", LayoutFolders.ALL) + ")");
        }
        return base;
    }

    private static Partitions partitions(YamlNode top, Loading loading) {
        return top.optional("partitions")
                .map(node -> LayoutOffer.asTheyAre(node, loading).choice(PARTITIONS))
                .orElse(Partitions.NONE);
    }

    private static List<LayoutTable> tables(YamlNode node, Loading loading) {
        List<LayoutTable> tables = new ArrayList<>();
        node.entries().forEach((name, table) -> {
            refusal(name, TABLE, 50).ifPresent(why -> node.problemWithKey(name, why));
            tables.add(table(name, table, loading));
        });
        if (node.isMapping() && (tables.isEmpty() || tables.size() > MOST_TABLES)) {
            node.problem("has " + tables.size() + " tables (allowed: 1 to " + MOST_TABLES + ")");
        }
        if (!tables.isEmpty() && tables.get(0).rows() != Rows.EVENTS) {
            node.problem("the first table has a row for each address (needed: first one with a row for each event)");
        }
        List<LayoutTable> ofAddresses =
                tables.stream().filter(table -> table.rows() == Rows.ADDRESSES).toList();
        if (ofAddresses.size() > 1) {
            node.problemWithKey(
                    ofAddresses.get(1).name(),
                    "is the second table with a row for each address (allowed: one, by which events are found)");
        }
        return tables;
    }

    private static Optional<String> refusal(String name, Pattern pattern, int most) {
        if (TAKEN.contains(name)) {
            return Optional.of("is the name of a table that siemload makes beside these (give it another one)");
        }
        return pattern.matcher(name).matches()
                ? Optional.empty()
                : Optional.of("cannot be a name here (allowed: up to " + most
                        + " lower case letters, digits and '_', a letter first)");
    }

    private static LayoutTable table(String name, YamlNode node, Loading loading) {
        Rows rows = node.optional("rows").map(kind -> kind.choice(ROWS)).orElse(Rows.EVENTS);
        if (loading == Loading.NONE && rows == Rows.ADDRESSES) {
            node.problem("a layout without loading finds events by its conditions, not by a table of addresses (leave"
                    + " rows out)");
        }
        Map<String, StoredField> columns = new LinkedHashMap<>();
        YamlNode list = node.required("columns");
        list.entries().forEach((column, filled) -> {
            refusal(column, COLUMN, 63).ifPresent(why -> list.problemWithKey(column, why));
            StoredField field = filled.choice(FIELDS);
            if (!field.fits(rows)) {
                filled.problem("'" + field.label() + "' cannot fill a column of a table with a row for each "
                        + (rows == Rows.EVENTS ? "event" : "address") + " (allowed: " + fitting(rows) + ")");
            }
            columns.put(column, field);
        });
        if (list.isMapping() && loading == Loading.EVENTS && !columns.containsValue(StoredField.ID)) {
            list.problem("no column is filled by id (needed: one, by which the rows of an event are found)");
        }
        return new LayoutTable(name, rows, columns);
    }

    private static String fitting(Rows rows) {
        return String.join(
                ", ",
                Arrays.stream(StoredField.values())
                        .filter(field -> field.fits(rows))
                        .map(StoredField::label)
                        .toList());
    }
}
