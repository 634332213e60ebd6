package siemload.database.sql.layout;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import siemload.config.Choices;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.database.LayoutFolder;
import siemload.database.layout.FolderFiles;
import siemload.database.sql.SqlStatement;
import siemload.database.sql.SqlStatement.Place;

/** Which files of statements a layout needs, and what may stand in them. Names of files are without the ending. */
public interface StatementRules {
    /** Parts of statements that have values themselves. */
    Set<String> WITH_VALUES = Set.of("conditions", "condition");

    /** The names of the files that it cannot do without, in the order of the alphabet. */
    Set<String> needed();

    /** These, and those that it may have beside them. */
    Set<String> known();

    /** What a needed file is for, as the end of a sentence; may be empty. */
    String purpose(String name);

    /** The names that may stand in a known file, as they are written there. */
    Set<String> allowed(String name);

    /** Whether this may stand in a known file, by {@link #allowed} or in another way. */
    default boolean allows(String name, Place place) {
        return allowed(name).contains(place.written());
    }

    /** The values of a known file in their order, where they are given by it; empty where they are given by their names. */
    Optional<List<String>> fixedOrder(String name);

    /** All files that are of use to it. */
    default Map<String, String> used(Map<String, String> texts) {
        return known().stream()
                .filter(texts::containsKey)
                .collect(Collectors.toMap(name -> name, texts::get, (one, other) -> one, TreeMap::new));
    }

    /**
     * Looks at the files of a folder, and notes what is wrong with them.
     *
     * @param texts the files with those of its base
     */
    default void check(LayoutFolder folder, Map<String, String> texts, Problems problems) {
        FolderFiles files = new FolderFiles(folder, LayoutTexts.ENDING, problems);
        files.noteMissing(needed(), texts.keySet(), this::purpose);
        for (String name : files.noteUnread(known())) {
            checkNames(files, name);
            if (name.equals(SearchFiles.VALUES)) {
                SearchFiles.checkValues(folder, files.text(name), problems);
            }
        }
    }

    private void checkNames(FolderFiles files, String name) {
        String text = files.text(name);
        List<Place> places = SqlStatement.places(text);
        Set<String> allowed = allowed(name);
        for (Place place : places) {
            if (!allows(name, place)) {
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
        List<Place> some = places.stream().filter(StatementRules::countsInOrder).toList();
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

    /** Those of the names whose order is that of values. */
    static List<String> ordered(List<Place> places) {
        return places.stream()
                .filter(StatementRules::countsInOrder)
                .map(Place::written)
                .toList();
    }

    private static boolean countsInOrder(Place place) {
        return place.kind() == Place.Kind.VALUE || WITH_VALUES.contains(place.name());
    }
}
