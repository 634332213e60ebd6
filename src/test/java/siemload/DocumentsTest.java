package siemload;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.cli.Arguments;
import siemload.config.Property;
import siemload.config.SettingSources;
import siemload.config.Settings;

/** What people copy out of the documents. */
class DocumentsTest {
    private static final Pattern URL = Pattern.compile("(?:jdbc:[a-z]+:|mongodb://)[^'\\s`|)]+");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(?:#[a-z-]+)?\\)");
    private static final Pattern CLASS = Pattern.compile("(?:`| as )([A-Z][a-z]+[A-Z]?[A-Za-z]*)");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|enum|interface) ([A-Z]\\w*)");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern DEFINITION = Pattern.compile("-D([A-Za-z]+(?:[.][A-Za-z]+)*)");
    private static final Pattern OPTION = Pattern.compile("(--[A-Za-z-]+).*");
    private static final Pattern COMMAND = Pattern.compile("\\s*([$] )?([.]/siemload|mvn|[.]ci/).*");
    /** Names that the text warns of, or that belong to others. */
    private static final Set<String> NO_PROPERTIES = Set.of("name", "usrs");

    private static final Set<String> LANGUAGES = Set.of("sh", "console", "text", "yaml", "java", "mermaid");

    @ParameterizedTest
    @ValueSource(strings = {"docs/own-database.md", "docs/own-queries.md", "docs/security.md"})
    void everyUrlOfAServerIsTakenAndVerifiesIt(String document) throws IOException {
        List<String> urls = found(URL, Path.of(document), 0);
        assertThat(urls).hasSizeGreaterThan(2).allMatch(url -> url.matches(".*(verify-full|tls=true|tcps:).*"));
        assertThat(urls)
                .allSatisfy(url -> assertThat(Settings.of(new SettingSources(Map.of("url", url), Map.of(), Map.of()))
                                .find(Property.URL))
                        .contains(url));
    }

    @Test
    void theTableOfPropertiesHasEachWithItsDefault() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("docs/properties.md"));
        for (Property<?> property : Property.all()) {
            String start = "| `" + property + "`" + (property.isOnlyForUsers() ? " \u2020" : "") + " |";
            assertThat(rows)
                    .filteredOn(row -> row.startsWith(start))
                    .singleElement(as(STRING))
                    .contains(property.defaultText().orElse(""));
        }
    }

    @Test
    void theArchitectureHasEveryPackage() throws IOException {
        Path root = Path.of("src/main/java/siemload");
        List<String> rows = Files.readAllLines(Path.of("docs/architecture.md"));
        try (Stream<Path> files = Files.walk(root)) {
            List<String> packages = files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> root.relativize(file.getParent()).toString().replace(File.separatorChar, '.'))
                    .distinct()
                    .toList();
            assertThat(packages)
                    .hasSizeGreaterThan(12)
                    .allSatisfy(name -> assertThat(rows).anyMatch(row -> row.startsWith("| `" + name + "` |")));
        }
    }

    /** Of the text, and of the sequence diagram. */
    @ParameterizedTest
    @ValueSource(strings = {"docs/architecture.md", "docs/glossary.md"})
    void classesThatAreNamedExist(String document) throws IOException {
        List<String> named = found(CLASS, Path.of(document), 1);
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            Set<String> classes = new HashSet<>();
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                classes.addAll(found(TYPE, file, 1));
            }
            assertThat(named)
                    .hasSizeGreaterThan(30)
                    .filteredOn(name -> !name.equals("ServiceLoader"))
                    .allSatisfy(name -> assertThat(classes).contains(name));
        }
    }

    @Test
    void theReadmeIsShort() throws IOException {
        assertThat(Files.readAllLines(Path.of("README.md"))).hasSizeLessThanOrEqualTo(150);
    }

    /** Commands are run in the order of the index, too. */
    @Test
    void theIndexLeadsToEveryDocument() throws IOException {
        try (Stream<Path> files = Stream.concat(Files.list(Path.of("docs")), Files.list(Path.of("docs/adr")))) {
            assertThat(files.filter(file -> file.toString().endsWith(".md"))
                            .map(Path::toString)
                            .filter(file -> !file.equals("docs/README.md")))
                    .allSatisfy(file -> assertThat(links(Document.read(Path.of("docs/README.md"))))
                            .contains(file));
        }
    }

    @Test
    void everyLinkLeadsToAFile() throws IOException {
        for (Document document : Document.all()) {
            assertThat(links(document))
                    .allSatisfy(link -> assertThat(Path.of(link)).exists());
        }
    }

    /** Those of sh blocks are run by .ci/run, too. */
    @Test
    void everyCommandHasOptionsThatExist() throws IOException {
        int commands = 0;
        for (Document document : Document.all()) {
            for (Document.Block block : document.blocks()) {
                String prompt = block.language().equals("console") ? "$ " : "";
                if (prompt.isEmpty() && !block.language().equals("sh")) {
                    continue;
                }
                for (DocumentedCommand command : block.commandsAfter(prompt)) {
                    command.check();
                    commands++;
                }
            }
        }
        assertThat(commands).isGreaterThan(40);
    }

    @Test
    void everyCommandStandsInABlockThatIsRunOrChecked() throws IOException {
        for (Document document : Document.all()) {
            assertThat(document.lines()).noneMatch(COMMAND.asMatchPredicate());
            for (Document.Block block : document.blocks()) {
                assertThat(block.language()).as(block.place()).isIn(LANGUAGES);
                assertCommandsBegin(block);
            }
        }
    }

    private static void assertCommandsBegin(Document.Block block) {
        switch (block.language()) {
            case "console" -> {
                assertThat(block.lines()).as(block.place()).first(as(STRING)).startsWith("$ ");
                assertThat(block.lines())
                        .as(block.place())
                        .filteredOn(COMMAND.asMatchPredicate())
                        .allMatch(line -> line.matches("([$]|   ) .*"));
            }
            // Each line is run for itself.
            case "sh" -> assertThat(block.lines()).as(block.place()).noneMatch(line -> line.matches("[$ ].*|.*\\\\"));
            default -> assertThat(block.lines()).as(block.place()).noneMatch(COMMAND.asMatchPredicate());
        }
    }

    @Test
    void whatTheTextSaysOfCommandsAndOptionsExists() throws IOException {
        Set<String> options = Arguments.options();
        for (Document document : Document.all()) {
            for (String code : found(CODE, document.text(), 1)) {
                String text = code.replaceAll("\\s+", " ");
                if (text.startsWith("./siemload ") || text.startsWith("mvn ")) {
                    new DocumentedCommand(document.path() + ": " + text, text.replaceAll(" && .*", "")).check();
                }
                Matcher option = OPTION.matcher(text);
                if (option.matches() && !NO_PROPERTIES.contains(option.group(1).substring(2))) {
                    assertThat(options).as(document.path() + ": " + text).contains(option.group(1));
                }
            }
            for (String name : found(DEFINITION, document.text(), 1)) {
                boolean known = DocumentedCommand.isProperty(name) || DocumentedCommand.isKnownToMaven(name);
                assertThat(known || NO_PROPERTIES.contains(name))
                        .as(document.path() + ": -D" + name)
                        .isTrue();
            }
        }
    }

    @Test
    void theWrapperHoldsMavenAgainstAChecksum() throws IOException {
        assertThat(Files.readAllLines(Path.of(".mvn/wrapper/maven-wrapper.properties")))
                .contains("distributionType=only-script")
                .anyMatch(line -> line.matches("distributionSha256Sum=[0-9a-f]{64}"))
                .anyMatch(line -> line.startsWith("distributionUrl=https://repo.maven.apache.org/maven2/"));
    }

    /** From the root of the project. */
    private static List<String> links(Document document) {
        Path here = Path.of("/").resolve(document.path()).getParent();
        return found(LINK, document.text(), 1).stream()
                .map(link ->
                        Path.of("/").relativize(here.resolve(link).normalize()).toString())
                .toList();
    }

    private static List<String> found(Pattern pattern, Path file, int group) throws IOException {
        return found(pattern, Files.readString(file), group);
    }

    private static List<String> found(Pattern pattern, String text, int group) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(group))
                .toList();
    }
}
