package siemload.dataset;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import siemload.event.EventLineReader;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;

/**
 * A file of events and what a scan of it found.
 *
 * @param file the file
 * @param repeated the lines that were left out because their id occurred before
 * @param count the number of events without those
 * @param first the earliest detect time
 * @param last the latest detect time
 * @param fingerprint made from all events
 * @param sample the first events, up to a number and size that fit into memory
 * @param warnings what is wrong with it, for people
 */
record Recording(
        Path file,
        RepeatedLines repeated,
        long count,
        Instant first,
        Instant last,
        String fingerprint,
        List<SecurityEvent> sample,
        List<String> warnings) {

    Recording {
        sample = List.copyOf(sample);
        warnings = List.copyOf(warnings);
    }

    /** Hands over all events in the order of the file. */
    void forEach(Consumer<SecurityEvent> consumer) {
        if (sample.size() == count) {
            sample.forEach(consumer);
            return;
        }
        long handedOver = 0;
        try (EventLineReader reader = EventLineReader.open(file, new IdeaReader(), problem -> {})) {
            for (Optional<SecurityEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
                if (!repeated.contains(reader.line())) {
                    handedOver++;
                    consumer.accept(event.get());
                }
            }
        }
        if (handedOver != count) {
            throw new IllegalStateException(
                    file + " has changed: it had " + count + " events, now it has " + handedOver);
        }
    }
}
