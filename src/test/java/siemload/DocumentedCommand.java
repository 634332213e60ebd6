package siemload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.cli.Arguments;
import siemload.config.Property;
import siemload.config.SettingSources;
import siemload.config.Settings;

/**
 * A command that a document shows. Immutable.
 *
 * @param place the document and the line
 * @param text as somebody would type it, on one line
 */
record DocumentedCommand(String place, String text) {
    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Z_]+)=(.*)");
    private static final Pattern DEFINITION = Pattern.compile("-D([A-Za-z.]+)(?:=(.*))?");
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

    /** Programs of others; nothing is known of their options. */
    private static final Set<String> PLAIN = Set.of("cp", "docker", "kubectl");

    /** What tests ask for themselves. */
    private static final Set<String> OF_TESTS = Set.of("targets.required");

    private static final Set<String> NO_PROPERTIES =
            Set.of("SIEMLOAD_USER", "SIEMLOAD_PASSWORD", "SIEMLOAD_PASSWORD_FILE", "SIEMLOAD_JAVA_OPTS");

    /** What is said of one variant of an experiment. */
    private static final Pattern OF_VARIANT =
            Pattern.compile("(SIEMLOAD_(?:URL|USER|PASSWORD|PASSWORD_FILE))_(?:OURS|THEIRS|OLD|NEW|NAME)");

    /** Fails if there is no such program, command, option, property or variable, or if a property takes no such value. */
    void check() throws IOException {
        List<String> words = new ArrayList<>(words());
        Map<String, String> environment = new HashMap<>();
        boolean exports = words.get(0).equals("export");
        if (exports) {
            words.remove(0);
        }
        while (!words.isEmpty() && ASSIGNMENT.matcher(words.get(0)).matches()) {
            assign(words.remove(0), environment);
        }
        Map<String, String> properties = words.isEmpty() && exports ? Map.of() : properties(words);
        Settings.of(new SettingSources(properties, Map.of(), environment));
    }

    private void assign(String word, Map<String, String> environment) {
        Matcher assignment = ASSIGNMENT.matcher(word);
        assertThat(assignment.matches()).isTrue();
        String name = assignment.group(1);
        Matcher ofVariant = OF_VARIANT.matcher(name);
        if (name.startsWith("PG")) {
            environment.put(name, assignment.group(2));
            return;
        }
        boolean known = NO_PROPERTIES.contains(name);
        if (!known && ofVariant.matches() && ofVariant.group(1).equals(Property.URL.variable())) {
            environment.put(ofVariant.group(1), assignment.group(2));
        } else if (!known && !ofVariant.matches()) {
            assertThat(Property.all()).as(place).extracting(Property::variable).contains(name);
            environment.put(name, assignment.group(2));
        }
    }

    private Map<String, String> properties(List<String> words) throws IOException {
        assertThat(words).as(place).isNotEmpty();
        String program = words.get(0);
        if (program.equals("./siemload")) {
            return Arguments.read(words.subList(1, words.size()));
        }
        if (program.equals("mvn")) {
            return defined(words.subList(1, words.size()));
        }
        if (!PLAIN.contains(program)) {
            assertThat(program).as(place).startsWith(".ci/");
            assertThat(Path.of(program)).as(place).isExecutable();
        }
        return Map.of();
    }

    /** Maven takes any name, also one that nobody asks for. */
    private Map<String, String> defined(List<String> arguments) throws IOException {
        Map<String, String> properties = new HashMap<>();
        for (String argument : arguments) {
            assertThat(argument).as(place).matches("(-D[A-Za-z.]+=.+|-P!?[a-z]+(,!?[a-z]+)*|[a-z]+(:[A-Za-z]+)?)");
            Matcher definition = DEFINITION.matcher(argument);
            if (definition.matches() && isProperty(definition.group(1))) {
                properties.put(definition.group(1), definition.group(2));
            } else if (definition.matches()) {
                assertThat(isKnownToMaven(definition.group(1)))
                        .as(place + ": " + argument)
                        .isTrue();
            }
        }
        return properties;
    }

    /** Whether a name in {@code -Dname} is one of siemload's properties. */
    static boolean isProperty(String name) {
        return Property.all().stream().map(Property::name).anyMatch(name::equals);
    }

    /** Whether the build or a test has such a property. */
    static boolean isKnownToMaven(String name) throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        return OF_TESTS.contains(name)
                || Stream.of("<" + name + ">", "${" + name + "}").anyMatch(pom::contains);
    }

    /** As a shell would tell them apart, without replacing anything. */
    List<String> words() {
        return WORD.matcher(text)
                .results()
                .map(word -> word.group().replaceAll("'([^']*)'|\"([^\"]*)\"", "$1$2"))
                .toList();
    }
}
