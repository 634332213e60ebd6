package siemload;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.cli.Arguments;
import siemload.config.Property;
import siemload.config.Settings;

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
        assertThat(urls).hasSizeGreaterThan(2).allMatch(url -> url.matches(".*(verify-full|tls=true|tcps:|duckdb:).*"));
        assertThat(urls)
                .allSatisfy(url -> assertThat(Settings.of(Map.of("url", url), Map.of(), Map.of())
                                .find(Property.URL))
                        .contains(url));
    }

    /** Its rows are what the code says; {@code -Dgolden.update=true} writes them anew. */
    @Test
    void theTablesOfOptionsAreThoseOfTheCode() throws IOException {
        Path document = Path.of("docs/properties.md");
        ResourceBundle texts = ResourceBundle.getBundle("siemload.cli.help");
        String generated = Files.readString(document);
        for (Property<?> property : Property.all()) {
            String row = Stream.of(
                            "`" + property + "`" + (property.isOnlyForUsers() ? " \u2020" : ""),
                            property.defaultText().map(text -> "`" + text + "`").orElse(""),
                            property.type().allowed().replace(" | ", ", "),
                            texts.getString("property." + property))
                    .collect(Collectors.joining(" | ", "| ", " |"));
            Matcher old = Pattern.compile("(?m)^\\| `" + property + "` .*$").matcher(generated);
            assertThat(old.results()).as(property.name()).hasSize(1);
            generated = old.replaceFirst(Matcher.quoteReplacement(row));
        }
        new GoldenFile(document).assertHolds(generated);
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
    @Test
    void classesThatAreNamedExist() throws IOException {
        List<String> named = found(CLASS, Path.of("docs/architecture.md"), 1);
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
        assertThat(Files.readAllLines(Path.of("README.md"))).hasSizeLessThanOrEqualTo(120);
    }

    /** Commands are run in the order of the index, too. */
    @ParameterizedTest
    @ValueSource(strings = {"docs", "docs/adr"})
    void theIndexLeadsToEveryDocument(String directory) throws IOException {
        Path index = Path.of(directory, "README.md");
        try (Stream<Path> files = Files.list(Path.of(directory))) {
            assertThat(files.filter(file -> file.toString().endsWith(".md") && !file.equals(index))
                            .map(Path::toString))
                    .hasSizeLessThanOrEqualTo(directory.equals("docs") ? 16 : 25)
                    .allSatisfy(file -> assertThat(links(Document.read(index))).contains(file));
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

    /**
     * The README or a file of docs. Immutable.
     *
     * @param lines without those of blocks
     */
    private record Document(Path path, List<String> lines, List<Block> blocks) {

        /**
         * A part between fences.
         *
         * @param place the document and the line of its first fence
         */
        record Block(String place, String language, List<String> lines) {

            /** Lines that go on behind a backslash are joined. */
            List<DocumentedCommand> commandsAfter(String prompt) {
                return String.join("\n", lines)
                        .replaceAll("\\\\\n *", "")
                        .lines()
                        .filter(line -> line.startsWith(prompt) && !line.isBlank() && !line.startsWith("#"))
                        .map(line -> new DocumentedCommand(place, line.substring(prompt.length())))
                        .toList();
            }
        }

        /** All that users read: the README and docs, without the decisions. */
        static List<Document> all() throws IOException {
            List<Document> documents = new ArrayList<>(List.of(read(Path.of("README.md"))));
            try (Stream<Path> files = Files.list(Path.of("docs"))) {
                for (Path file : files.filter(file -> file.toString().endsWith(".md"))
                        .sorted()
                        .toList()) {
                    documents.add(read(file));
                }
            }
            return documents;
        }

        static Document read(Path path) throws IOException {
            List<String> text = new ArrayList<>();
            List<Block> blocks = new ArrayList<>();
            List<String> all = Files.readAllLines(path);
            for (int i = 0; i < all.size(); i++) {
                if (!all.get(i).startsWith("```")) {
                    text.add(all.get(i));
                    continue;
                }
                String place = path + ":" + (i + 1);
                String language = all.get(i).substring(3);
                List<String> inside = new ArrayList<>();
                for (i++; !all.get(i).equals("```"); i++) {
                    inside.add(all.get(i));
                }
                blocks.add(new Block(place, language, inside));
            }
            return new Document(path, text, blocks);
        }

        /** All of the text in one. */
        String text() {
            return String.join("\n", lines);
        }
    }

    /**
     * A command that a document shows. Immutable.
     *
     * @param place the document and the line
     * @param text as somebody would type it, on one line
     */
    private record DocumentedCommand(String place, String text) {
        private static final Pattern ASSIGNMENT = Pattern.compile("([A-Z_]+)=(.*)");
        private static final Pattern DEFINITION = Pattern.compile("-D([A-Za-z.]+)(?:=(.*))?");
        private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

        /** Programs of others; nothing is known of their options. */
        private static final Set<String> PLAIN = Set.of("cp", "kubectl", "rm", "sed");

        /** What tests ask for themselves. */
        private static final Set<String> OF_TESTS = Set.of("targets.required");

        /** Variables that are no properties, or are said of one variant of an experiment. */
        private static final String NO_PROPERTY =
                "SIEMLOAD_(JAVA_OPTS|(URL|USER|PASSWORD|PASSWORD_FILE)(_(OURS|THEIRS|OLD|NEW|NAME))?)";

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
            Settings.of(properties, Map.of(), environment);
        }

        private void assign(String word, Map<String, String> environment) {
            Matcher assignment = ASSIGNMENT.matcher(word);
            assertThat(assignment.matches()).isTrue();
            String name = assignment.group(1);
            if (name.startsWith("PG")
                    || Property.all().stream()
                            .anyMatch(known -> known.variable().equals(name))) {
                environment.put(name, assignment.group(2));
            } else {
                assertThat(name).as(place).matches(NO_PROPERTY);
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
}
