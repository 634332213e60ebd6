package siemload.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds properties and variables that are not ours but nearly so: without this, {@code -Dusrs=5} would do nothing. */
final class Misspellings {
    /** Names of others, Java's and Maven's, that come too near to ours. */
    private static final Set<String> OTHERS = Set.of("user", "test", "groups", "basedir", "argLine", "env", "path");

    private static final List<String> CREDENTIALS = List.of("USER", "PASSWORD", "PASSWORD_FILE");
    private static final int SHORT_NAME = 4;

    private Misspellings() {}

    static void note(SettingSources sources, Problems problems) {
        List<String> names = Property.all().stream().map(Property::name).toList();
        for (String name : sorted(sources.systemProperties())) {
            if (name.equals("password")) {
                problems.add(
                        new Origin.SystemProperty(name),
                        "passwords are not taken from here (allowed: SIEMLOAD_PASSWORD, SIEMLOAD_PASSWORD_FILE)");
            } else if (!name.contains(".") && !OTHERS.contains(name)) {
                nearly(name, names)
                        .ifPresent(meant -> problems.add(
                                new Origin.SystemProperty(name), "unknown property (did you mean -D" + meant + "?)"));
            }
        }
        noteVariables(sources, problems);
    }

    private static void noteVariables(SettingSources sources, Problems problems) {
        List<String> known = Stream.concat(
                        Property.all().stream().map(property -> withoutPrefix(property.variable())),
                        CREDENTIALS.stream())
                .toList();
        for (String name : sorted(sources.environment())) {
            if (name.startsWith(Settings.VARIABLE_PREFIX)) {
                Optional<String> near = nearly(withoutPrefix(name), known);
                // USER_A is near to USERS, but who is to be at the server of variant A; PASSWORD_FIL is no password of
                // FIL.
                near.filter(meant -> meant.equals("PASSWORD_FILE") || !VariantConnections.isOfOne(name))
                        .ifPresent(meant -> problems.add(
                                new Origin.Environment(name),
                                "unknown variable (did you mean " + Settings.VARIABLE_PREFIX + meant + "?)"));
            }
        }
    }

    private static Optional<String> nearly(String name, List<String> known) {
        if (known.contains(name)) {
            return Optional.empty();
        }
        return NearestName.among(name, known)
                .filter(meant -> NearestName.distance(name, meant) <= (meant.length() <= SHORT_NAME ? 1 : 2));
    }

    private static String withoutPrefix(String variable) {
        return variable.substring(Settings.VARIABLE_PREFIX.length());
    }

    private static List<String> sorted(Map<String, String> source) {
        return source.keySet().stream().sorted().collect(Collectors.toList());
    }
}
