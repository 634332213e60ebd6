package siemload.dataset.recording;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import siemload.event.EventFormatException;
import siemload.event.EventReader;
import siemload.event.SecurityEvent;

/** The events of a large recording, read from its files by an index. Thread-safe. */
final class IndexedLines implements NumberedEvents {
    private final IndexFile index;
    private final List<RecordingSummary.Lines> files;
    private final List<EventReader> readers;
    private final List<LineWindow> windows;

    /** @param readers of the files' formats */
    IndexedLines(IndexFile index, List<RecordingSummary.Lines> files, List<EventReader> readers) {
        this.index = index;
        this.files = List.copyOf(files);
        this.readers = List.copyOf(readers);
        this.windows = windows();
    }

    @Override
    public long micros(long number) {
        return index.micros(number);
    }

    @Override
    public SecurityEvent event(long number) {
        synchronized (windows) {
            return event(number, windows);
        }
    }

    @Override
    public void forEach(Consumer<SecurityEvent> consumer) {
        List<LineWindow> own = windows();
        try {
            for (long number = 0; number < index.count(); number++) {
                consumer.accept(event(number, own));
            }
        } finally {
            own.forEach(LineWindow::close);
        }
    }

    private SecurityEvent event(long number, List<LineWindow> from) {
        long place = index.place(number);
        int file = Place.file(place);
        SecurityEvent event;
        try {
            event = from.get(file).event(Place.position(place));
        } catch (EventFormatException none) {
            throw changed(file, String.valueOf(none.getMessage()));
        }
        if (Recording.micros(event.detectTime()) != index.micros(number)) {
            throw changed(file, "another event is where event " + number + " was");
        }
        return event;
    }

    private IllegalStateException changed(int file, String found) {
        return new IllegalStateException(files.get(file).path() + " has changed since it was looked through: " + found);
    }

    private List<LineWindow> windows() {
        List<LineWindow> opened = new ArrayList<>();
        for (int file = 0; file < files.size(); file++) {
            RecordingSummary.Lines lines = files.get(file);
            opened.add(new LineWindow(Path.of(lines.path()), lines.skipped(), readers.get(file)));
        }
        return opened;
    }
}
