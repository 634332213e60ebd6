package siemload.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import siemload.dataset.format.EventFile;
import siemload.dataset.format.EventFormat;
import siemload.dataset.learn.Learner;
import siemload.dataset.learn.LearntFiles;
import siemload.dataset.learn.LearntFiles.Overwriting;
import siemload.dataset.learn.NameRule;
import siemload.event.EventLineReader;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;

/**
 * How many lines a second are read, and how many are learnt from, in turns over the same file: {@code LearnRate FILE}. On one
 * core under {@code taskset -c 1} with {@code -XX:+UseSerialGC}.
 */
final class LearnRate {
    private static final int TURNS = 3;

    private LearnRate() {}

    /** Prints a line for each turn. */
    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[0]);
        Path directory = Files.createTempDirectory("learn-rate");
        for (int turn = 1; turn <= TURNS; turn++) {
            long start = System.nanoTime();
            long events = 0;
            try (EventLineReader reader = EventLineReader.open(file, new IdeaReader(), problem -> {})) {
                for (Optional<SecurityEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                    events++;
                }
            }
            double read = (System.nanoTime() - start) / 1e9;
            start = System.nanoTime();
            long[] measured = new long[1];
            Learner.learn(
                    List.of(new EventFile(file, EventFormat.IDEA, new IdeaReader())),
                    LearntFiles.of(directory.resolve("learnt.yaml")),
                    NameRule.REPLACE,
                    Overwriting.ALLOWED,
                    1,
                    more -> measured[0] = System.nanoTime());
            double pass = (measured[0] - start) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "turn %d: %,d lines, read alone %,.0f/s, learnt %,.0f/s in the pass, %.1f s with estimates and fit%n",
                    turn,
                    events,
                    events / read,
                    events / pass,
                    (System.nanoTime() - start) / 1e9);
        }
    }
}
