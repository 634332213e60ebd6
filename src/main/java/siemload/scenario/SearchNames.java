package siemload.scenario;

import java.util.List;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.query.SearchName;

/** Which searches of a scenario {@link Property#SEARCHES} keeps. */
final class SearchNames {
    private SearchNames() {}

    /** Those that it keeps; all of them unless it is given. */
    static List<SearchName> kept(List<SearchName> all, Settings settings, Problems problems) {
        check(all, settings, problems);
        List<SearchName> kept = all.stream()
                .filter(search -> !isLeftOut(search.name(), settings))
                .toList();
        return kept.isEmpty() ? all : kept;
    }

    /** Notes what it names that is none of these. */
    static void check(List<SearchName> all, Settings settings, Problems problems) {
        Choices<SearchName> known = SearchName.choices(all);
        settings.setting(Property.SEARCHES)
                .ifPresent(given -> names(given.value())
                        .filter(name -> known.find(name).isEmpty())
                        .forEach(name -> problems.add(
                                given.origin(),
                                "'" + name + "' is no search of this scenario (" + known.help(name)
                                        + ", separated by commas)")));
    }

    /** Whether it is given and does not keep what has this name. */
    static boolean isLeftOut(String name, Settings settings) {
        return settings.find(Property.SEARCHES)
                .filter(kept -> names(kept).noneMatch(name::equals))
                .isPresent();
    }

    private static Stream<String> names(String kept) {
        return Stream.of(kept.split(",", -1)).map(String::strip);
    }
}
