package siemload.database.postgresql.layout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.database.IndexSet;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatement.Place;
import siemload.database.sql.layout.LayoutAbout;
import siemload.database.sql.layout.LayoutTable;
import siemload.database.sql.layout.SearchFiles;
import siemload.database.sql.layout.StatementRules;

/**
 * Which files a layout needs, and what may stand in them: the same as in the files of siemload's own layouts, so that there is no
 * second list of either. Immutable.
 *
 * @param about what the layout is
 * @param like siemload's layout of the same kind: with a table of addresses or without, cut into days or not
 * @param all the files of all of siemload's layouts by their names, each in all its forms
 */
record LayoutFiles(LayoutAbout<StoredField> about, Layout like, Map<String, List<String>> all)
        implements StatementRules {
    private static final String TABLE = "table";
    private static final String INSERT = "insert";
    private static final String DELETE_DAY = "delete-day";
    /** What is done with each table, and the names that may stand in such a file, beside those of values of an INSERT. */
    private static final Map<String, Set<String>> OF_TABLES = Map.of(
            TABLE,
            Set.of("partitioning"),
            "contents",
            Set.of(),
            INSERT,
            Set.of("columns", "values"),
            DELETE_DAY,
            Set.of("from", "until"));
    /** Files that no search reads. */
    private static final Set<String> OF_LOADING = Set.of("copy", "primary-keys", "partitioning", "events", "presence");

    /** Their values are asked for by their names, those of all other files by their order. */
    private static final String CONDITION = "condition-";

    private static final String WINDOW = "condition-window";
    private static final String INDEXES = "indexes-";
    private static final Set<String> KEYS = Set.of("primary-keys", "keys-address");

    @Override
    public Set<String> needed() {
        if (about.isForSearchesAlone()) {
            return SearchFiles.needed(about);
        }
        Set<String> needed = new TreeSet<>();
        like.files().keySet().stream()
                .filter(name -> !isOfTable(name) && !name.startsWith(INDEXES))
                .forEach(needed::add);
        for (LayoutTable<StoredField> table : about.tables()) {
            OF_TABLES.keySet().stream()
                    .filter(what -> !what.equals(DELETE_DAY) || !about.isByDay())
                    .map(table::file)
                    .forEach(needed::add);
        }
        about.offer().indexSets().stream()
                .filter(set -> set != IndexSet.NONE)
                .map(set -> INDEXES + set.label())
                .forEach(needed::add);
        return needed;
    }

    @Override
    public Set<String> known() {
        if (about.isForSearchesAlone()) {
            return SearchFiles.known(like.files().keySet().stream()
                    .filter(name -> !isOfTable(name) && !name.startsWith(INDEXES) && !OF_LOADING.contains(name))
                    .collect(Collectors.toSet()));
        }
        Set<String> known = needed();
        about.offer().indexSets().stream()
                .filter(set -> set != IndexSet.NONE)
                .map(set -> INDEXES + set.label() + "-address")
                .forEach(known::add);
        return known;
    }

    private boolean isOfTable(String name) {
        return like.tables().stream()
                .anyMatch(table -> OF_TABLES.keySet().stream().map(table::file).anyMatch(name::equals));
    }

    @Override
    public String purpose(String name) {
        for (LayoutTable<StoredField> table : about.tables()) {
            if (OF_TABLES.keySet().stream().map(table::file).anyMatch(name::equals)) {
                return " for its table " + table.name();
            }
        }
        return name.startsWith(INDEXES) ? " for its index set " + name.substring(INDEXES.length()) : "";
    }

    @Override
    public Set<String> allowed(String name) {
        for (LayoutTable<StoredField> table : about.tables()) {
            Optional<String> what = OF_TABLES.keySet().stream()
                    .filter(one -> table.file(one).equals(name))
                    .findFirst();
            if (what.isPresent()) {
                return ofTable(what.get(), table);
            }
        }
        if (name.startsWith(INDEXES) || KEYS.contains(name)) {
            return Set.of();
        }
        Stream<String> expressions = about.isForSearchesAlone() ? SearchFiles.allowed(name).stream() : Stream.of();
        return Stream.concat(
                        all.getOrDefault(name, List.of()).stream()
                                .flatMap(text -> SqlStatement.places(text).stream())
                                .map(Place::written),
                        expressions)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Set<String> ofTable(String what, LayoutTable<StoredField> table) {
        Function<String, String> written = what.equals(DELETE_DAY) ? one -> ":'" + one + "'" : one -> ":" + one;
        Stream<String> values = what.equals(INSERT) ? insertValues(table).stream() : Stream.of();
        return Stream.concat(
                        OF_TABLES.getOrDefault(what, Set.of()).stream().sorted().map(written),
                        values.map(one -> ":'" + one + "'"))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Collection<String> insertValues(LayoutTable<StoredField> table) {
        List<String> values = new ArrayList<>();
        for (StoredField field : StoredField.values()) {
            if (field.fits(LayoutTable.Rows.EVENTS) && field.fits(table.rows())) {
                values.add(field.label());
            }
        }
        if (table.rows() == LayoutTable.Rows.ADDRESSES) {
            values.addAll(List.of("addresses", "sides"));
        }
        return values;
    }

    @Override
    public Optional<List<String>> fixedOrder(String name) {
        if (name.equals(SearchFiles.VALUES)
                || name.startsWith(INSERT + "-")
                || (name.startsWith(CONDITION) && !name.equals(WINDOW))) {
            return Optional.empty();
        }
        if (name.startsWith(DELETE_DAY + "-")) {
            return Optional.of(List.of(":'from'", ":'until'"));
        }
        return all.getOrDefault(name, List.of()).stream()
                .findFirst()
                .map(text -> StatementRules.ordered(SqlStatement.places(text)));
    }
}
