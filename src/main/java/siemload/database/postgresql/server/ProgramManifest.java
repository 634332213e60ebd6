package siemload.database.postgresql.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the unpacked programs and libraries of a server looked like: the SHA-256 of each file that is executed, noted when they
 * were unpacked. Before each start it tells whether they still do, which takes about 0.1 s.
 */
final class ProgramManifest {
    private static final String FILE = "manifest.sha256";
    private static final List<String> EXECUTED = List.of("bin", "lib");
    /** For whoever compiles against the server; it is two fifths of all bytes. */
    private static final String ARCHIVES_OF_OBJECTS = ".a";

    private ProgramManifest() {}

    /** Notes what has just been unpacked. */
    static void write(Path programs) throws IOException {
        String lines = hashes(programs).entrySet().stream()
                .map(file -> file.getValue() + "  " + file.getKey() + "\n")
                .collect(Collectors.joining());
        Files.writeString(programs.resolve(FILE), lines);
    }

    /** The first file that is not as it was, or is too many or too few; empty if all are. */
    static Optional<String> difference(Path programs) throws IOException {
        if (!Files.isRegularFile(programs.resolve(FILE))) {
            return Optional.of(FILE);
        }
        Map<String, String> noted = Files.readAllLines(programs.resolve(FILE)).stream()
                .map(line -> line.split(" {2}", 2))
                .collect(Collectors.toMap(parts -> parts[parts.length - 1], parts -> parts[0], (a, b) -> a));
        Map<String, String> found = hashes(programs);
        return Stream.concat(noted.keySet().stream(), found.keySet().stream())
                .filter(file -> !noted.getOrDefault(file, "").equals(found.getOrDefault(file, "")))
                .sorted()
                .findFirst();
    }

    private static Map<String, String> hashes(Path programs) throws IOException {
        List<Path> files = files(programs);
        try {
            return files.parallelStream()
                    .collect(Collectors.toMap(
                            file -> programs.relativize(file).toString(),
                            ProgramManifest::hash,
                            (a, b) -> a,
                            TreeMap::new));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static List<Path> files(Path programs) throws IOException {
        List<Path> all = new ArrayList<>();
        for (String part : EXECUTED) {
            if (Files.isDirectory(programs.resolve(part))) {
                try (Stream<Path> files = Files.walk(programs.resolve(part))) {
                    files.filter(file ->
                                    !Files.isDirectory(file) && !file.toString().endsWith(ARCHIVES_OF_OBJECTS))
                            .forEach(all::add);
                }
            }
        }
        return all;
    }

    /** A link counts by where it leads to; what is there is hashed under its own name. */
    private static String hash(Path file) {
        try {
            if (Files.isSymbolicLink(file)) {
                return "-> " + Files.readSymbolicLink(file);
            }
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                digest.update(channel.map(MapMode.READ_ONLY, 0, channel.size()));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
