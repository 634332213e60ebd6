package siemload.database.postgresql.server;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.Ownership;
import siemload.database.TargetException;

/**
 * The programs of PostgreSQL on the class path, unpacked once: {@code initdb}, {@code pg_ctl}, {@code postgres}.
 *
 * @param programs the directory that holds {@code bin}, {@code lib} and {@code share}
 * @param directory where the programs run and their output goes to
 */
record ServerPrograms(Path programs, Path directory) {
    private static final int ANYONE_MAY_EXECUTE = 0111;
    private static final String SUM = "programs.sha256";
    private static final Pattern EXECUTED = Pattern.compile("(?:bin|lib)[/\\\\].*(?<!\\.a)");

    /** What programs need to be found and to write their files: neither passwords nor what would change the server. */
    private static final Set<String> VARIABLES = Set.of("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ");

    /** The lines that say why a program failed. The first kind that there is counts. */
    private static final List<String> DECISIVE =
            List.of("PANIC:", "FATAL:", "ERROR:", "error:", "fatal:", "could not fork");

    /** What can be done, by what was said; the first that fits. */
    private static final List<String[]> ADVICE =
            """
            No space left on device: free some disk space, or use another cache directory
            Cannot allocate memory: there is too little free memory: end other programs, or use your own server
            shared memory: give the machine or container more shared memory (Docker: --shm-size=256m)
            cannot be run as root: run as an ordinary user, or allow user namespaces (unshare -U)
            Address already in use: the port was taken meanwhile: try again, or name another port
            Resource temporarily unavailable: this user may have no more processes: end some, or raise the limit (ulimit -u)
            wrong ownership: the directory belongs to another user: use another cache directory
            user does not exist: run as a user that the system knows by name
            """.lines().map(line -> line.split(": ", 2)).toList();

    /**
     * Unpacks them below a directory; the caller holds its lock. Programs that are not as they were unpacked are not run, but
     * unpacked anew.
     *
     * @param notes hears of that
     */
    static ServerPrograms unpacked(Path directory, Consumer<String> notes) throws IOException {
        byte[] archive = archive();
        CRC32 checksum = new CRC32();
        checksum.update(archive);
        Path programs = directory.resolve(String.format(Locale.ROOT, "programs-%08x", checksum.getValue()));
        if (Files.isDirectory(programs)) {
            Ownership.ofThisUser().requirePrivate(programs);
            Path noted = programs.resolve(SUM);
            if (Files.isRegularFile(noted) && Files.readString(noted).equals(sum(programs))) {
                return new ServerPrograms(programs, directory);
            }
            notes.accept("the programs in " + programs + " are not as they were unpacked (the disk, a clean-up, or"
                    + " somebody changed them); all were unpacked anew");
        }
        Path unfinished = directory.resolve("programs-unfinished");
        DirectoryTree.delete(unfinished);
        unpack(archive, unfinished);
        Files.writeString(unfinished.resolve(SUM), sum(unfinished));
        DirectoryTree.delete(programs);
        Files.move(unfinished, programs, StandardCopyOption.ATOMIC_MOVE);
        return new ServerPrograms(programs, directory);
    }

    private static byte[] archive() throws IOException {
        OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
        String system = machine.getName();
        String family = system.startsWith("Windows") ? "Windows" : system.startsWith("Mac") ? "Darwin" : system;
        String hardware = machine.getArch().replace("amd64", "x86_64");
        try (InputStream stream = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(family, hardware)) {
            return stream.readAllBytes();
        } catch (IllegalStateException e) {
            throw new TargetException(
                    "there is no embedded PostgreSQL for " + system + " on " + hardware
                            + "; install PostgreSQL, and name it with the property url",
                    e);
        }
    }

    private static void unpack(byte[] archive, Path directory) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = directory.resolve(entry.getName()).normalize();
                if (!path.startsWith(directory)) {
                    throw new IOException("the archive of PostgreSQL holds a path outside of it: " + entry.getName());
                }
                Files.createDirectories(entry.isDirectory() ? path : path.resolveSibling("."));
                if (entry.isSymbolicLink() || entry.isLink()) {
                    Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
                } else if (!entry.isDirectory()) {
                    Files.copy(tar, path);
                    if ((entry.getMode() & ANYONE_MAY_EXECUTE) != 0
                            && !path.toFile().setExecutable(true, false)) {
                        throw new IOException("cannot make " + path + " executable");
                    }
                }
            }
        }
    }

    /**
     * The SHA-256 over the names and contents of all files that are executed, 55 MB in 0.1 to 0.4 s; those for compilers are two
     * fifths of all bytes, and left out. A link counts by where it leads to.
     */
    private static String sum(Path programs) throws IOException {
        try (Stream<Path> files = Files.walk(programs)) {
            MessageDigest sum = MessageDigest.getInstance("SHA-256");
            DigestOutputStream summing = new DigestOutputStream(OutputStream.nullOutputStream(), sum);
            List<Path> executed = files.filter(
                            file -> EXECUTED.matcher(programs.relativize(file).toString())
                                    .matches())
                    .filter(file -> !Files.isDirectory(file))
                    .sorted()
                    .toList();
            for (Path file : executed) {
                summing.write((programs.relativize(file) + "\n").getBytes(StandardCharsets.UTF_8));
                if (Files.isSymbolicLink(file)) {
                    summing.write(Files.readSymbolicLink(file).toString().getBytes(StandardCharsets.UTF_8));
                } else {
                    Files.copy(file, summing);
                }
            }
            return HexFormat.of().formatHex(sum.digest());
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /**
     * Runs a program to its end.
     *
     * @param program its name, to which the arguments are added
     */
    Outcome run(String program, List<String> arguments) throws IOException {
        // A file and no pipe: the server, a grandchild, would keep a pipe open for as long as it runs.
        ProcessBuilder builder = builder(command(program, arguments))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(output(program)).toFile());
        try {
            int exitCode = builder.start().waitFor();
            return new Outcome(exitCode, said(program));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("waiting for " + program + " of the embedded server was interrupted", e);
        }
    }

    /** How a program ended, and what it said. */
    record Outcome(int exitCode, String output) {

        boolean succeeded() {
            return exitCode == 0;
        }
    }

    /** A process in the directory, with no more of the environment than it needs. */
    ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(directory.toFile());
        builder.environment().keySet().retainAll(VARIABLES);
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    /** The name of the file that has what a program said. */
    String output(String program) {
        return program + ".log";
    }

    /** What a program said. */
    String said(String program) throws IOException {
        return Files.readString(directory.resolve(output(program)), StandardCharsets.ISO_8859_1);
    }

    /** What runs a program. */
    List<String> command(String program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) {
            // PostgreSQL refuses to run as root; inside a user namespace of its own it does not see that it is.
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(programs.resolve("bin").resolve(program).toString());
        command.addAll(arguments);
        return command;
    }

    /** The line of an output or a log that says why a program failed, without time and process number, and with advice. */
    static String decisiveLine(String output) {
        return decisiveLine(output, "");
    }

    /** The same with other advice where none is known. */
    static String decisiveLine(String output, String otherwise) {
        String line = DECISIVE.stream()
                .flatMap(kind -> Pattern.compile(kind + ".*")
                        .matcher(output)
                        .results()
                        .limit(1)
                        .map(MatchResult::group))
                .findFirst()
                .or(() -> output.lines().filter(one -> !one.isBlank()).reduce((before, last) -> last))
                .orElse("it said nothing");
        String advice = ADVICE.stream()
                .filter(known -> output.contains(known[0]))
                .findFirst()
                .map(known -> "; " + known[1])
                .orElse(otherwise);
        return line.strip() + advice;
    }
}
