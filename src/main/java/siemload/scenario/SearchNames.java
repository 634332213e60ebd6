package siemload.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.query.SearchName;

/** Lists of searches, as files and settings write them. */
final class SearchNames {
    private SearchNames() {}

    /** The searches that {@link Property#SEARCHES} keeps; all of them unless it is given. */
    static List<SearchName> kept(List<SearchName> all, Settings settings, Problems problems) {
        return settings.setting(Property.SEARCHES)
                .map(setting -> kept(all, setting, problems))
                .orElse(all);
    }

    /** Whether {@link Property#SEARCHES} is given and does not keep what has this name. */
    static boolean isLeftOut(String name, Settings settings) {
        return settings.find(Property.SEARCHES)
                .filter(kept -> names(kept).noneMatch(name::equals))
                .isPresent();
    }

    private static Stream<String> names(String kept) {
        return Stream.of(kept.split(",", -1)).map(String::strip);
    }

    private static List<SearchName> kept(List<SearchName> all, Setting setting, Problems problems) {
        Map<String, SearchName> byName = new LinkedHashMap<>();
        all.forEach(search -> byName.put(search.name(), search));
        Choices<SearchName> known = new Choices<>(byName);
        List<SearchName> kept = new ArrayList<>();
        for (String name : names(setting.value()).toList()) {
            if (known.find(name).isEmpty()) {
                problems.add(
                        setting.origin(),
                        "'" + name + "' is no search of this scenario (" + known.help(name) + ", separated by commas)");
            } else {
                known.find(name).filter(search -> !kept.contains(search)).ifPresent(kept::add);
            }
        }
        return kept.isEmpty() ? all : all.stream().filter(kept::contains).toList();
    }
}
