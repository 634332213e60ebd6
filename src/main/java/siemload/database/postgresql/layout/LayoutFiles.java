package siemload.database.postgresql.layout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.layout.FolderFiles;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatement.Place;

/**
 * Which files a layout needs, and what may stand in them: the same as in the files of siemload's own layouts, so that there is no
 * second list of either. Immutable.
 *
 * @param about what the layout is
 * @param like siemload's layout of the same kind: with a table of addresses or without, cut into days or not
 * @param all the files of all of siemload's layouts by their names, each in all its forms
 */
record LayoutFiles(LayoutAbout about, Layout like, Map<String, List<String>> all) {
    private static final String ENDING = ".sql";
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
    /** Parts of statements that have values themselves. */
    private static final Set<String> WITH_VALUES = Set.of("conditions", "condition");
    /** Their values are asked for by their names, those of all other files by their order. */
    private static final String CONDITION = "condition-";

    private static final String WINDOW = "condition-window";
    private static final String INDEXES = "indexes-";
    private static final Set<String> KEYS = Set.of("primary-keys", "keys-address");

    /** The names of the files that it cannot do without, in the order of the alphabet. */
    Set<String> needed() {
        if (about.isForSearchesAlone()) {
            return SearchFiles.needed(about);
        }
        Set<String> needed = new TreeSet<>();
        like.files().keySet().stream()
                .filter(name -> !isOfTable(name) && !name.startsWith(INDEXES))
                .forEach(needed::add);
        for (LayoutTable table : about.tables()) {
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

    /** Those that it may have beside them. */
    private Set<String> known() {
        if (about.isForSearchesAlone()) {
            return SearchFiles.known(like.files().keySet().stream()
                    .filter(name -> !isOfTable(name) && !name.startsWith(INDEXES))
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

    /** All files that are of use to it. */
    Map<String, String> used(Map<String, String> texts) {
        return known().stream()
                .filter(texts::containsKey)
                .collect(Collectors.toMap(name -> name, texts::get, (one, other) -> one, TreeMap::new));
    }

    /**
     * Looks at the files of a folder.
     *
     * @param texts the files with those of its base, by their names without the ending
     */
    void check(LayoutFolder folder, Map<String, String> texts, Problems problems) {
        Set<String> known = known();
        FolderFiles files = new FolderFiles(folder, ENDING, problems);
        files.noteMissing(needed(), texts.keySet(), this::purpose);
        for (String name : files.noteUnread(known)) {
            checkNames(files, name);
            if (name.equals(SearchFiles.VALUES)) {
                SearchFiles.checkValues(folder, files.text(name), problems);
            }
        }
    }

    private String purpose(String name) {
        for (LayoutTable table : about.tables()) {
            if (OF_TABLES.keySet().stream().map(table::file).anyMatch(name::equals)) {
                return " for its table " + table.name();
            }
        }
        return name.startsWith(INDEXES) ? " for its index set " + name.substring(INDEXES.length()) : "";
    }

    private void checkNames(FolderFiles files, String name) {
        String text = files.text(name);
        List<Place> places = SqlStatement.places(text);
        Set<String> allowed = allowed(name);
        for (Place place : places) {
            if (!allowed.contains(place.written())) {
                files.problems()
                        .add(
                                origin(files, name, text, place),
                                "the name " + place.written() + " is unknown here ("
                                        + (allowed.isEmpty()
                                                ? "allowed: none"
                                                : Choices.names(allowed).help(place.written()))
                                        + "; a colon that begins no name has another one before it)");
                return;
            }
        }
        fixedOrder(name)
                .filter(order -> !order.equals(ordered(places)))
                .ifPresent(order -> files.problems()
                        .add(
                                firstWrong(order, places)
                                        .map(first -> origin(files, name, text, first))
                                        .orElse(files.origin(name)),
                                "has " + words(ordered(places))
                                        + ", but values are given to this file by their order (needed: " + words(order)
                                        + ", each once and in this order)"));
    }

    private static Optional<Place> firstWrong(List<String> order, List<Place> places) {
        List<Place> some = places.stream().filter(LayoutFiles::countsInOrder).toList();
        for (int i = 0; i < some.size(); i++) {
            if (i >= order.size() || !order.get(i).equals(some.get(i).written())) {
                return Optional.of(some.get(i));
            }
        }
        return some.isEmpty() ? Optional.empty() : Optional.of(some.get(some.size() - 1));
    }

    private static String words(List<String> names) {
        return names.isEmpty() ? "no values" : String.join(", ", names);
    }

    private static Origin origin(FolderFiles files, String name, String text, Place place) {
        String before = text.substring(0, place.offset());
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        return files.origin(name, line, place.offset() - before.lastIndexOf('\n'));
    }

    /** The names that may stand in a file, as they are written there. */
    private Set<String> allowed(String name) {
        for (LayoutTable table : about.tables()) {
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

    private static Set<String> ofTable(String what, LayoutTable table) {
        Function<String, String> written = what.equals(DELETE_DAY) ? one -> ":'" + one + "'" : one -> ":" + one;
        Stream<String> values = what.equals(INSERT) ? insertValues(table).stream() : Stream.of();
        return Stream.concat(
                        OF_TABLES.getOrDefault(what, Set.of()).stream().sorted().map(written),
                        values.map(one -> ":'" + one + "'"))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Collection<String> insertValues(LayoutTable table) {
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

    /** The values of a file in their order, where they are given by it; empty where they are given by their names. */
    private Optional<List<String>> fixedOrder(String name) {
        if (name.equals(SearchFiles.VALUES)
                || name.startsWith(INSERT + "-")
                || (name.startsWith(CONDITION) && !name.equals(WINDOW))) {
            return Optional.empty();
        }
        if (name.startsWith(DELETE_DAY + "-")) {
            return Optional.of(List.of(":'from'", ":'until'"));
        }
        return all.getOrDefault(name, List.of()).stream().findFirst().map(text -> ordered(SqlStatement.places(text)));
    }

    private static List<String> ordered(List<Place> places) {
        return places.stream()
                .filter(LayoutFiles::countsInOrder)
                .map(Place::written)
                .toList();
    }

    private static boolean countsInOrder(Place place) {
        return place.kind() == Place.Kind.VALUE || WITH_VALUES.contains(place.name());
    }
}
