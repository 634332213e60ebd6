package siemload.cli;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import siemload.config.directory.DirectoryTree;

/**
 * The classes of the libraries in an archive of Java's own (class data sharing), as a run needs them: a process that has it need not
 * read and parse thousands of them. It is made once for a class path, by the process of the tests that comes first; those that come
 * meanwhile do without. Safe for use by several processes.
 */
final class ClassArchive {
    private static final Path DIRECTORY = Path.of("target", "test classes archive");
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final long PATIENCE_SECONDS = 120;

    private ClassArchive() {}

    /** The libraries, and our own classes behind them: an archive cannot hold what lies in directories, which change. */
    static String classPath() {
        return String.join(
                File.pathSeparator,
                Stream.concat(libraries().stream(), directories().stream()).toList());
    }

    private static List<String> libraries() {
        return places().filter(place -> place.endsWith(".jar")).toList();
    }

    private static List<String> directories() {
        return places().filter(place -> !place.endsWith(".jar")).toList();
    }

    private static Stream<String> places() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));
    }

    /** What makes Java use the archive; nothing where there is none yet. */
    static List<String> options() throws IOException {
        Files.createDirectories(DIRECTORY);
        Path archive = DIRECTORY
                .resolve(
                        String.format(Locale.ROOT, "%08x.jsa", whatItDependsOn().hashCode()))
                .toAbsolutePath();
        if (!Files.exists(archive)) {
            try (FileChannel file = FileChannel.open(
                            DIRECTORY.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = file.tryLock()) {
                if (held == null) {
                    return List.of();
                }
                make(archive);
            }
        }
        return List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + archive);
    }

    /** Java refuses it where one of these is another one. */
    private static List<String> whatItDependsOn() throws IOException {
        List<String> all = new ArrayList<>(List.of(System.getProperty("java.vm.version")));
        for (String library : libraries()) {
            all.add(library + " " + Files.getLastModifiedTime(Path.of(library)));
        }
        return all;
    }

    private static void make(Path archive) throws IOException {
        Path work = Files.createTempDirectory(DIRECTORY, "made");
        Path list = work.resolve("classes.txt").toAbsolutePath();
        Path unfinished = work.resolve("unfinished.jsa").toAbsolutePath();
        List<String> run = new ArrayList<>(ChildProcess.JVM);
        run.addAll(List.of("-XX:DumpLoadedClassList=" + list, "-cp", classPath(), "siemload.cli.Main"));
        run.addAll(List.of("run", "--target", "memory", "--users", "100", "--warmup", "0s", "--duration", "1s"));
        run.addAll(List.of("--dataset", "src/test/resources/datasets/tiny.yaml", "--results", work.toString()));
        end(run, work);
        // Java 25 refuses one that was made with other options for modules.
        List<String> dump = new ArrayList<>(ChildProcess.MODULES);
        dump.addAll(List.of("-Xshare:dump", "-XX:SharedClassListFile=" + list, "-XX:SharedArchiveFile=" + unfinished));
        dump.addAll(List.of("-cp", String.join(File.pathSeparator, libraries())));
        end(dump, work);
        if (!Files.exists(unfinished)) {
            throw new IOException("no archive of classes was made: " + Files.readString(work.resolve("output.txt")));
        }
        Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
        DirectoryTree.delete(work);
    }

    private static void end(List<String> arguments, Path work) throws IOException {
        List<String> command = new ArrayList<>(List.of(JAVA));
        command.addAll(arguments);
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(work.resolve("output.txt").toFile())
                .start()
                .onExit()
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }
}
