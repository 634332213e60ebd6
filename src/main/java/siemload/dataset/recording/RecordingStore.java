package siemload.dataset.recording;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Sha256;
import siemload.config.directory.Reason;
import siemload.event.EventLineReader;
import siemload.event.SecurityEvent;

/**
 * Opens a recording: from what the cache knows of it, or by looking through it. In the cache are, for each list of files, a
 * summary, an index and unpacked copies. Of two processes that look through the same files the second one to finish takes what the
 * first one made. Used by one thread.
 */
final class RecordingStore {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(
                    DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    private static final Duration ABANDONED_AFTER = Duration.ofDays(1);

    private final Path directory;
    private final RecordingReading reading;
    private final List<RecordedFile> files;

    RecordingStore(List<RecordedFile> files, RecordingReading reading) {
        this.directory = reading.cache().resolve("recordings");
        this.reading = reading;
        this.files = List.copyOf(files);
    }

    Recording open() {
        if (files.size() > Place.MOST_FILES) {
            throw new ConfigException(
                    new Origin.WholeFile(RecordingScan.name(files)),
                    files.size() + " files are too many (allowed: " + Place.MOST_FILES + "; join some of them)");
        }
        try {
            Optional<Recording> known = known();
            return known.isPresent() ? known.get() : lookedThrough();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the recording " + RecordingScan.name(files) + " cannot be indexed in " + directory
                            + " (choose another place with -Dcache=DIR): " + Reason.of(e),
                    e);
        }
    }

    private Optional<Recording> known() throws IOException {
        Optional<RecordingSummary> found = summary(directory.resolve(key() + ".json"));
        if (found.isEmpty()
                || found.get().formatVersion() != RecordingSummary.FORMAT_VERSION
                || !found.get().identity().equals(identity())
                || !isComplete(found.get())) {
            return Optional.empty();
        }
        return Optional.of(indexed(found.get()));
    }

    private boolean isComplete(RecordingSummary summary) throws IOException {
        Path index = directory.resolve(summary.index());
        if (!Files.exists(index) || Files.size(index) != IndexFile.bytes(summary.count())) {
            return false;
        }
        return summary.files().stream().allMatch(lines -> Files.exists(Path.of(lines.path())));
    }

    private Recording indexed(RecordingSummary summary) throws IOException {
        IndexFile index = new IndexFile(directory.resolve(summary.index()));
        return new Recording(
                summary,
                new IndexedLines(
                        index,
                        summary.files(),
                        files.stream().map(RecordedFile::reader).toList()));
    }

    private Recording lookedThrough() throws IOException {
        try (ScratchFiles scratch = new ScratchFiles(directory, key())) {
            RecordingScan scan = new RecordingScan(files, scratch);
            scan.run(new ScanStatus(files, reading.status()));
            Optional<List<SecurityEvent>> few = scan.few();
            if (few.isPresent()) {
                KeptEvents kept = new KeptEvents(few.get());
                return new Recording(summary(scan, "", List.of(), kept.micros(0), kept.micros(scan.count() - 1)), kept);
            }
            // Another process may have looked through it meanwhile: what it has made is not taken from under it.
            RecordingSummary written = written(scan, scratch);
            Optional<Recording> known = known();
            return known.isPresent() ? known.get() : indexed(published(written, scratch));
        }
    }

    private RecordingSummary written(RecordingScan scan, ScratchFiles scratch) throws IOException {
        Path index = scratch.file("index");
        IndexFile.write(index, scan);
        List<RecordingSummary.Lines> lines = new ArrayList<>();
        for (RecordedFile file : files) {
            if (file.isPacked()) {
                Path unpacked = scratch.file("unpacked-" + lines.size());
                unpack(file.path(), unpacked);
                lines.add(new RecordingSummary.Lines(unpacked.toString(), 0));
            } else {
                lines.add(new RecordingSummary.Lines(file.path().toRealPath().toString(), file.skipped()));
            }
        }
        try (IndexFile read = new IndexFile(index)) {
            return summary(
                    scan, String.valueOf(index.getFileName()), lines, read.micros(0), read.micros(read.count() - 1));
        }
    }

    private static void unpack(Path packed, Path unpacked) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(unpacked), 1 << 16)) {
            EventLineReader.unpack(packed, out);
        }
    }

    private RecordingSummary summary(
            RecordingScan scan, String index, List<RecordingSummary.Lines> lines, long firstMicros, long lastMicros)
            throws IOException {
        return new RecordingSummary(
                RecordingSummary.FORMAT_VERSION,
                identity(),
                index,
                lines,
                scan.count(),
                firstMicros,
                lastMicros,
                scan.fingerprint(),
                scan.problems().unreadableLines(),
                scan.problems().unreadable(),
                scan.problems().lines());
    }

    /** The summary is what makes the other files valid, so that it comes last and at once; those of before go. */
    private RecordingSummary published(RecordingSummary summary, ScratchFiles scratch) throws IOException {
        Path file = directory.resolve(key() + ".json");
        Optional<RecordingSummary> before = summary(file);
        Path written = scratch.file("summary");
        JSON.writeValue(written.toFile(), summary);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        scratch.keepAll();
        if (before.isPresent()) {
            Files.deleteIfExists(directory.resolve(before.get().index()));
            for (RecordingSummary.Lines lines : before.get().files()) {
                if (Path.of(lines.path()).startsWith(directory)) {
                    Files.deleteIfExists(Path.of(lines.path()));
                }
            }
        }
        deleteAbandoned(scratch, Files.getLastModifiedTime(file));
        return summary;
    }

    /** What a process left that was killed; another one may be at work on younger files. */
    private void deleteAbandoned(ScratchFiles scratch, FileTime now) throws IOException {
        String key = key() + "-";
        FileTime young = FileTime.from(now.toInstant().minus(ABANDONED_AFTER));
        try (Stream<Path> all = Files.list(directory)) {
            List<Path> others = all.filter(
                            file -> String.valueOf(file.getFileName()).startsWith(key))
                    .filter(file -> !scratch.isOwn(file))
                    .toList();
            for (Path file : others) {
                if (Files.getLastModifiedTime(file).compareTo(young) < 0) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** What stands in the cache; empty where nothing does, or nothing that can be read. */
    private static Optional<RecordingSummary> summary(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readValue(file.toFile(), RecordingSummary.class));
        } catch (IOException broken) {
            return Optional.empty();
        }
    }

    /** A name that the same paths always have, whatever the files hold. */
    private String key() throws IOException {
        StringBuilder paths = new StringBuilder();
        for (RecordedFile file : files) {
            paths.append(file.path().toRealPath()).append('\n');
        }
        return Sha256.fingerprint(paths.toString());
    }

    private List<String> identity() throws IOException {
        List<String> identity = new ArrayList<>();
        for (RecordedFile file : files) {
            identity.add(file.identity());
        }
        return identity;
    }
}
