package siemload.dataset.learn;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.dataset.DatasetReader;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.dataset.format.EventFile;
import siemload.dataset.learn.LearntFiles.Overwriting;
import siemload.event.EventLineReader;
import siemload.event.EventReader;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * Learns a data set from files of events: reads them once, in memory that does not grow with them, writes the data set with
 * its profile, and holds a generated sample against the original. Stateless and thread-safe.
 */
public final class Learner {
    private static final int SAMPLE = 100_000;
    private static final int BATCH = 1_000;
    private static final int EVENTS_BETWEEN_SIGNS = 1_000;

    private Learner() {}

    /**
     * Learns.
     *
     * @param files events, one a line, in formats of their own
     * @param read told after every thousand events that there were so many more
     * @throws ConfigException if there is no event in the files
     * @throws java.io.UncheckedIOException if a file cannot be read or written
     */
    public static LearntStream learn(
            List<EventFile> files,
            LearntFiles output,
            NameRule rule,
            Overwriting overwriting,
            long seed,
            LongConsumer read) {
        SkippedLines skipped = new SkippedLines();
        StreamMeasure original = measure(files, skipped, read);
        if (original.events() == 0) {
            throw noEvents(files, skipped, rule);
        }
        Pseudonyms names = new Pseudonyms(rule, seed);
        LearntProfile learnt = LearntProfile.of(original, names, output.name(), seed);
        output.write(learnt, overwriting);
        DatasetSpec spec = DatasetReader.read(output.dataset());
        StreamMeasure sample = sample(spec);
        return new LearntStream(
                spec,
                learnt.parameters(),
                StreamFit.of(original, names, sample, learnt),
                original.oddities().found(),
                original.details().keys().ranked().size(),
                skipped.lines(rule),
                sample.events());
    }

    /** Reads files into a measure. */
    static StreamMeasure measure(List<EventFile> files, SkippedLines skipped, LongConsumer read) {
        StreamMeasure measure = new StreamMeasure();
        for (EventFile file : files) {
            LineShapes shapes = new LineShapes(file.reader(), measure.oddities());
            measure(file.path(), shapes, measure, skipped, read);
        }
        return measure;
    }

    private static void measure(
            Path file, EventReader format, StreamMeasure measure, SkippedLines skipped, LongConsumer read) {
        try (EventLineReader reader = EventLineReader.open(file, format, skipped)) {
            for (Optional<SecurityEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                measure.add(event.get(), reader.lineBytes());
                if (measure.events() % EVENTS_BETWEEN_SIGNS == 0) {
                    read.accept(EVENTS_BETWEEN_SIGNS);
                }
            }
        }
    }

    /** Measures what the data set generates: all of it, or a smaller one from the same profile. */
    static StreamMeasure sample(DatasetSpec spec) {
        DatasetSpec smaller = new DatasetSpec(
                spec.name(),
                spec.description(),
                Math.min(spec.events(), SAMPLE),
                spec.start(),
                spec.span(),
                spec.seed(),
                spec.profile(),
                spec.searched());
        StreamMeasure measure = new StreamMeasure();
        IdeaWriter writer = new IdeaWriter();
        new EventGenerator(smaller)
                .read(BATCH, events -> events.forEach(event -> measure.add(event, writer.toBytes(event).length)));
        return measure;
    }

    private static ConfigException noEvents(List<EventFile> files, SkippedLines skipped, NameRule rule) {
        List<String> reasons = new ArrayList<>(skipped.lines(rule));
        String names = String.join(
                ", ", files.stream().map(file -> file.path().toString()).toList());
        return new ConfigException(
                new Origin.WholeFile(names),
                "there is no event to learn from"
                        + (reasons.isEmpty() ? " (empty)" : "\n" + String.join("\n", reasons)));
    }
}
