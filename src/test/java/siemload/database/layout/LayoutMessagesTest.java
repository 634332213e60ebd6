package siemload.database.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import siemload.GoldenFile;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Problem;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.OwnLayouts;

/**
 * What is said of bad files of layouts. A case begins with a target, whose own layout is changed, or with a folder of {@code existing};
 * then follow, behind bars, what is written in a block (or {@code layout.yaml}) in place of something else, what it holds instead, or a minus
 * before the name of one that is missing.
 */
final class LayoutMessagesTest {
    private static final Map<String, String> TARGETS = Map.of("firewall", "postgresql", "flows", "opensearch");

    @Test
    void eachMistakeIsToldWithItsPlace() throws IOException {
        GoldenFile.of("messages/layouts.txt").assertEach(LayoutMessagesTest::messages);
    }

    private static String messages(String line) {
        String[] parts = line.split(" \\| ");
        TargetPlugin target =
                TargetPlugin.find(TARGETS.getOrDefault(parts[0], parts[0])).orElseThrow();
        SortedMap<String, String> blocks = BlockFiles.of(good(parts[0], target));
        for (int i = 1; i < parts.length; i++) {
            change(blocks, parts[i].replace("\\n", "\n"));
        }
        OwnLayouts layouts = target.ownLayouts().orElseThrow();
        ConfigException thrown = catchThrowableOfType(
                ConfigException.class,
                () -> layouts.abilities(new LayoutFolder("mine", "mine", BlockFiles.folder(blocks))));
        assertThat(thrown).as(line).isNotNull();
        return thrown.problems().stream().map(Problem::toString).collect(Collectors.joining("\n"));
    }

    private static SortedMap<String, String> good(String name, TargetPlugin target) {
        if (TARGETS.containsKey(name)) {
            Path folder = Path.of("src/test/resources/existing", name);
            return LayoutFolder.read(folder.toString(), new Origin.Default(), target)
                    .files();
        }
        return target.ownLayouts()
                .orElseThrow()
                .files(target.abilities().layouts().get(0), Partitions.NONE);
    }

    private static void change(SortedMap<String, String> files, String part) {
        String file = part.replaceFirst("(?s) .*", "");
        String rest = part.substring(Math.min(part.length(), file.length() + 1));
        if (file.startsWith("-")) {
            assertThat(files.remove(file.substring(1))).as(file).isNotNull();
        } else if (rest.startsWith("= ")) {
            files.put(file, rest.substring(2));
        } else {
            String[] change = rest.split(" =>(?: |$)", -1);
            assertThat(files.get(file)).as(file).contains(change[0]);
            files.put(file, files.get(file).replace(change[0], change[1]));
        }
    }
}
