package siemload.dataset.recording;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import siemload.event.EventLineReader;

/** Tells how far looking through a recording is, every so many events. Not thread-safe. */
final class ScanStatus {
    private static final int EVENTS_BETWEEN_SIGNS = 1 << 15;

    private final List<RecordedFile> files;
    private final Consumer<String> status;
    private final long all;
    private long events;

    ScanStatus(List<RecordedFile> files, Consumer<String> status) {
        this.files = List.copyOf(files);
        this.status = status;
        all = files.stream().mapToLong(RecordedFile::bytes).sum();
    }

    /** An event of the file at this position was read. */
    void read(int file, EventLineReader reader) {
        if (++events % EVENTS_BETWEEN_SIGNS == 0) {
            long before =
                    files.stream().limit(file).mapToLong(RecordedFile::bytes).sum();
            status.accept(String.format(
                    Locale.ROOT,
                    "looking through %s: %.0f %% of %,d MB, %,d events",
                    RecordingScan.name(files),
                    Math.min(100, 100.0 * (before + reader.bytesRead()) / Math.max(1, all)),
                    all / 1_000_000,
                    events));
        }
    }

    void end() {
        status.accept("");
    }
}
