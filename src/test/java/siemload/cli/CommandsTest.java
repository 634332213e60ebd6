package siemload.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.GoldenFile;

/** What commands say, and with which code they end: {@code golden/commands.txt} has the commands, too. */
@Tag("every-java")
class CommandsTest {
    private static final GoldenFile FILE = GoldenFile.of("commands.txt");
    private static final String PROMPT = "$ siemload";
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    /** Lists of all scenarios and data sets, which grow. */
    private static final Pattern LONG_LIST = Pattern.compile("allowed: (?:[^,()\\n]+, ){10,}[^()\\n]+");

    @TempDir
    private Path directory;

    @Test
    void whatIsWrongIsToldWithItsPlaceAndWhatToDo() throws IOException {
        StringBuilder told = new StringBuilder();
        for (String line : Files.readAllLines(FILE.path())) {
            if (line.isBlank() || line.startsWith("#")) {
                told.append(line).append('\n');
            } else if (line.startsWith(PROMPT)) {
                told.append(line).append('\n').append(answer(Siemload.run(directory, words(line))));
            }
        }

        FILE.assertHolds(told.toString());
    }

    private String[] words(String line) {
        return WORD.matcher(line.substring(PROMPT.length()).replace("DIR", directory.toString()))
                .results()
                .map(CommandsTest::word)
                .toArray(String[]::new);
    }

    private String answer(ChildProcess.Ended ended) {
        String output = ended.output()
                .replace(directory.toString(), "DIR")
                .replace(Path.of("").toAbsolutePath() + "/", "");
        return Stream.concat(
                        LONG_LIST
                                .matcher(output)
                                .replaceAll("allowed: ...")
                                .lines()
                                .filter(line -> !line.isBlank()),
                        Stream.of("exit code " + ended.exitCode()))
                .map(line -> ("  " + line).stripTrailing() + "\n")
                .collect(Collectors.joining());
    }

    private static String word(MatchResult found) {
        return found.group(1) == null ? found.group(2) : found.group(1);
    }
}
