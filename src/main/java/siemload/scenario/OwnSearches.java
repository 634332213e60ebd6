package siemload.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.config.ConfigException;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Problem;
import siemload.config.Problems;
import siemload.config.Sha256;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.query.CriterionTemplate;
import siemload.query.OwnOrder;
import siemload.query.SearchCatalog;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;
import siemload.query.SearchReader;

/**
 * Reads the searches that a scenario brings: the YAML files of a directory that it names, each called as its search.
 * Reads one scenario.
 *
 * @param scenario the scenario's file, to which the directory is relative
 * @param shownAs what that file is called in messages
 */
record OwnSearches(Path scenario, String shownAs, ValueLog log, Problems problems) {
    /** The key of scenarios; values by this name and that of a search say what its file holds. */
    static final String KEY = "ownSearches";

    private static final int MOST = 200;

    /** The searches that siemload brings, and those of the scenario. */
    SearchCatalog read(YamlNode top) {
        return top.optional(KEY).map(this::of).orElseGet(SearchCatalog::builtIn);
    }

    private SearchCatalog of(YamlNode named) {
        int problemsBefore = problems.count();
        Path directory = scenario.resolveSibling(log.value(named, ValueType.path()));
        if (problems.count() > problemsBefore) {
            return SearchCatalog.builtIn();
        }
        if (!Files.isDirectory(directory) || !Files.isReadable(directory)) {
            named.problem("'" + named.written()
                    + "' is no directory that can be read (needed: one with a YAML file for each search; its path is"
                    + " relative to the scenario)");
            return SearchCatalog.builtIn();
        }
        List<String> names = NamedFile.names(directory, "");
        if (names.isEmpty() || names.size() > MOST) {
            named.problem("'" + named.written() + "' has " + names.size() + " files that end with .yaml (allowed: 1 to "
                    + MOST + ", one for each search)");
            return SearchCatalog.builtIn();
        }
        Map<SearchName, Origin> places = new LinkedHashMap<>();
        List<SearchDefinition> definitions = new ArrayList<>();
        for (String name : names) {
            String file = shown(named.written(), name);
            Optional<String> refusal = refusal(name, definitions);
            refusal.ifPresent(reason -> problems.add(new Origin.WholeFile(file), reason));
            if (refusal.isEmpty()) {
                SearchName search = new SearchName(name);
                places.put(search, new Origin.WholeFile(file));
                definitions.add(definition(directory.resolve(name + ".yaml"), file, search));
            }
        }
        SearchCatalog catalog = SearchCatalog.builtIn().with(definitions);
        definitions.forEach(definition -> checkRefinements(definition, catalog, places));
        return catalog;
    }

    private String shown(String directory, String name) {
        return Path.of(shownAs)
                .resolveSibling(directory)
                .resolve(name + ".yaml")
                .toString();
    }

    /** Why a file cannot bring a search of this name; empty if it can. */
    private static Optional<String> refusal(String name, List<SearchDefinition> before) {
        Optional<String> letters = SearchName.refusal(name);
        if (letters.isPresent()) {
            return letters;
        }
        if (SearchName.builtIn().stream().anyMatch(known -> known.name().equalsIgnoreCase(name))) {
            return Optional.of(
                    "'" + name + "' is the name of a search that siemload brings (give the file another one)");
        }
        if (ObjectiveParser.WHOLE_SUBJECTS.stream().anyMatch(name::equalsIgnoreCase)) {
            return Optional.of("'" + name + "' stands for something else in objectives (give the file another name)");
        }
        if (name.chars().noneMatch(Character::isLowerCase)) {
            return Optional.of("'" + name + "' has no small letter (names in capitals are for searches that siemload"
                    + " brings, now or later: give the file another one)");
        }
        return before.stream()
                .filter(definition -> definition.name().name().equalsIgnoreCase(name))
                .findFirst()
                .map(other -> "'" + name + "' and '" + other.name() + "' are too easily taken for each other (give one"
                        + " of the files another name)");
    }

    /** A search that cannot be read finds everything, so that the rest can be checked. */
    private SearchDefinition definition(Path file, String shown, SearchName name) {
        try {
            SearchDefinition definition = SearchReader.read(file, shown, name);
            log.put(KEY + "." + name, "contents " + contents(file), new Origin.WholeFile(shown));
            return definition;
        } catch (ConfigException wrong) {
            wrong.problems().forEach(problems::add);
            return new SearchDefinition(
                    name,
                    "",
                    List.<CriterionTemplate>of(),
                    Optional.empty(),
                    OwnOrder.AS_WANTED,
                    Optional.empty(),
                    List.of(),
                    0);
        }
    }

    /** By which runs with another search of the same name are told from these. */
    private static String contents(Path file) {
        try {
            return Sha256.fingerprint(Sha256.digest().digest(Files.readAllBytes(file)));
        } catch (IOException gone) {
            throw new UncheckedIOException("cannot read " + file, gone);
        }
    }

    private void checkRefinements(SearchDefinition search, SearchCatalog catalog, Map<SearchName, Origin> places) {
        for (SearchName finer : search.refinements()) {
            Optional<String> refusal = catalog.find(finer)
                    .map(known -> refusal(search, known))
                    .orElseGet(() -> Optional.of(
                            "'" + finer + "' is unknown (" + catalog.names().help(finer.name()) + ")"));
            refusal.ifPresent(reason -> problems.add(new Problem(
                    places.getOrDefault(search.name(), new Origin.WholeFile(shownAs)), "refinements", reason, "")));
        }
    }

    private static Optional<String> refusal(SearchDefinition search, SearchDefinition finer) {
        boolean narrower = finer.summary().isEmpty()
                && search.addedBy(finer)
                        .filter(added -> added.key().isSeenInRows())
                        .isPresent();
        return narrower || finer.name().equals(SearchName.DETAIL)
                ? Optional.empty()
                : Optional.of("'" + finer.name() + "' does not ask for what this search asks for and one drawn address,"
                        + " port, category or detector more (name a search that does, or DETAIL)");
    }
}
