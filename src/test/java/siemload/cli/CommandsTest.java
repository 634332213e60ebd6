package siemload.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.GoldenFile;

/** What commands say, and with which code they end: {@code golden/commands.txt} has the commands, too. */
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
        List<String> lines = Files.readAllLines(FILE.path());
        List<String[]> commands = lines.stream()
                .filter(line -> line.startsWith(PROMPT))
                .map(this::words)
                .toList();
        Iterator<ChildProcess.Ended> ended =
                Siemload.refused(directory, commands).iterator();

        StringBuilder told = new StringBuilder();
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                told.append(line).append('\n');
            } else if (line.startsWith(PROMPT)) {
                told.append(line).append('\n').append(answer(ended.next()));
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
