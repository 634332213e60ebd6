package siemload.database.postgresql.search;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where pgbench is installed. Stateless. */
final class PgbenchProgram {
    private static final String NAME = "pgbench";
    /** What it needs to be found and to find its libraries. */
    private static final Set<String> VARIABLES = Set.of("PATH", "HOME", "TMPDIR", "TZ", "LD_LIBRARY_PATH");
    /** Debian and its kin keep the programs of each version apart, and off the path. */
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

    private static final Pattern VERSION = Pattern.compile("pgbench \\(PostgreSQL\\) (\\S+)");

    private PgbenchProgram() {}

    /** That of the newest version in Debian's folders, or else the first one on the path. */
    static Optional<Path> find() {
        List<Path> places = new ArrayList<>(ofVersions(VERSIONS));
        String path = new ProcessBuilder().environment().getOrDefault("PATH", "");
        Stream.of(path.split(File.pathSeparator))
                .filter(directory -> !directory.isEmpty())
                .forEach(directory -> places.add(Path.of(directory, NAME)));
        return places.stream().filter(Files::isExecutable).findFirst();
    }

    /** The newest one first. */
    static List<Path> ofVersions(Path directory) {
        try (Stream<Path> versions = Files.list(directory)) {
            return versions.filter(version -> version.getFileName().toString().matches("\\d{1,4}"))
                    .sorted(Comparator.comparing((Path version) ->
                                    Integer.parseInt(version.getFileName().toString()))
                            .reversed())
                    .map(version -> version.resolve("bin").resolve(NAME))
                    .toList();
        } catch (IOException none) {
            return List.of();
        }
    }

    /** A process with no more of the environment than it needs. */
    static ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().retainAll(VARIABLES);
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    /** What it says of itself; empty where it does not run. */
    static Optional<String> version(Path program) {
        try {
            Process process = builder(List.of(program.toString(), "--version"))
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            try (InputStream said = process.getInputStream()) {
                Matcher version = VERSION.matcher(new String(said.readAllBytes(), StandardCharsets.UTF_8));
                return version.find() ? Optional.of(version.group(1)) : Optional.empty();
            }
        } catch (IOException broken) {
            return Optional.empty();
        }
    }
}
