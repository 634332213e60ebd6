package siemload.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.config.ConfigException;

/**
 * Breaks at random what siemload reads of results; what users write or bring is in {@link KeptInputsTest}. {@code
 * -Dfuzz.cases=100000} for long, {@code -Dfuzz.seed=N -Dfuzz.cases=1} for the one case that a failure names.
 */
@Tag("any-java")
class FuzzTest {
    private static final long FIRST_SEED = Long.getLong("fuzz.seed", 1);
    private static final long CASES = Long.getLong("fuzz.cases", 4);
    private static final int LONGEST_LINE = 3_000;
    private static final FileTime LONG_AGO = FileTime.fromMillis(0);

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @EnumSource
    void whateverAFileOfResultsHoldsItIsReadOrRefusedInOneLine(ResultReader reader) throws IOException {
        Map<Path, byte[]> whole = prepared(reader);
        List<List<Path>> byName = List.copyOf(whole.keySet().stream()
                .collect(Collectors.groupingBy(Path::getFileName, TreeMap::new, Collectors.toList()))
                .values());
        List<String> failures = new ArrayList<>();
        for (long seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<Path> same = byName.get(random.nextInt(byName.size()));
            Path file = same.get(random.nextInt(same.size()));
            restore(whole);
            Files.write(file, new Mutations(random).of(whole.getOrDefault(file, new byte[0])));
            String name = "seed " + seed + ", " + directory.relativize(file) + ": ";
            try {
                reader.read(directory);
            } catch (IOException | UncheckedIOException | ConfigException refused) {
                String message = String.valueOf(refused.getMessage());
                boolean leads = message.contains(directory.toString())
                        || message.contains(file.getFileName().toString());
                if (!leads || message.length() > LONGEST_LINE || message.lines().count() > 1) {
                    failures.add(name + "a poor message: " + message);
                }
            } catch (RuntimeException fault) {
                failures.add(
                        name + fault + " at " + List.of(fault.getStackTrace()).subList(0, 4));
            }
        }
        assertThat(failures).isEmpty();
    }

    private Map<Path, byte[]> prepared(ResultReader reader) throws IOException {
        reader.prepare(directory);
        Map<Path, byte[]> whole = new TreeMap<>();
        for (Path file : files()) {
            if (!file.endsWith("lock")) {
                whole.put(file, Files.readAllBytes(file));
            }
        }
        return whole;
    }

    private Collection<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    /** A reader may have changed or removed files, too. */
    private static void restore(Map<Path, byte[]> whole) throws IOException {
        for (Map.Entry<Path, byte[]> file : whole.entrySet()) {
            if (!Files.exists(file.getKey())
                    || !Files.getLastModifiedTime(file.getKey()).equals(LONG_AGO)) {
                Files.createDirectories(file.getKey().getParent());
                Files.write(file.getKey(), file.getValue());
                Files.setLastModifiedTime(file.getKey(), LONG_AGO);
            }
        }
    }
}
