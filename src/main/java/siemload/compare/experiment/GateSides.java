package siemload.compare.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Settings;

/**
 * The two sides of a gate: the values of all properties that either of them names, so that what holds for both sides also
 * holds for the one that does not speak of it. Immutable.
 *
 * @param baseline by property
 * @param candidate by property
 */
record GateSides(Map<String, String> baseline, Map<String, String> candidate) {
    private static final String PARAMETERS = Property.PARAMETERS.name();
    private static final String ONE_PARAMETER = PARAMETERS + ".";

    GateSides {
        baseline = Collections.unmodifiableMap(new LinkedHashMap<>(baseline));
        candidate = Collections.unmodifiableMap(new LinkedHashMap<>(candidate));
    }

    /**
     * The sides as they were given, over what was said for both.
     *
     * @param common by property
     * @throws ConfigException if a side names what is no property
     */
    static GateSides of(Map<String, String> common, Map<String, String> ofBaseline, Map<String, String> ofCandidate) {
        Map<String, String> baseline = folded("baseline", ofBaseline);
        Map<String, String> candidate = folded("candidate", ofCandidate);
        Set<String> varied = new LinkedHashSet<>(baseline.keySet());
        varied.addAll(candidate.keySet());
        for (String property : varied) {
            String shared = common.get(property);
            if (shared != null) {
                over(shared, property, baseline);
                over(shared, property, candidate);
            }
        }
        return new GateSides(baseline, candidate);
    }

    /** Whether nothing is varied. */
    boolean areEqual() {
        return baseline.equals(candidate);
    }

    /** Parameters of the database one by one: {@code parameters.jit=off}, since a comma ends a property here. */
    private static Map<String, String> folded(String name, Map<String, String> side) {
        List<String> known = Property.all().stream().map(Property::name).toList();
        Map<String, String> folded = new LinkedHashMap<>();
        side.forEach((property, value) -> {
            if (property.startsWith(ONE_PARAMETER)) {
                add(folded, property.substring(ONE_PARAMETER.length()) + "=" + value);
            } else if (property.equals(PARAMETERS)) {
                add(folded, value);
            } else if (known.contains(property) || Settings.isOfScenario(property)) {
                folded.put(property, value);
            } else {
                throw new ConfigException(
                        new Origin.Option(name),
                        "'" + property + "' is no property ("
                                + Choices.names(known).help(property) + ")");
            }
        });
        return folded;
    }

    private static void add(Map<String, String> side, String parameters) {
        side.merge(PARAMETERS, parameters, (some, more) -> some + "," + more);
    }

    private static void over(String shared, String property, Map<String, String> side) {
        if (property.equals(PARAMETERS)) {
            side.put(property, overlaid(shared, side.getOrDefault(property, "")));
        } else {
            side.putIfAbsent(property, shared);
        }
    }

    /** The shared parameters with a side's own ones, which win. */
    private static String overlaid(String shared, String own) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String parameter : (shared + "," + own).split(",", -1)) {
            if (!parameter.isBlank()) {
                parameters.put(parameter.replaceFirst("=.*", "").strip(), parameter.strip());
            }
        }
        return String.join(",", parameters.values());
    }
}
