package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.POWERLESS;
import static siemload.database.postgresql.PostgresqlConnections.SQL;

import com.sun.management.OperatingSystemMXBean;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;
import siemload.config.RegularFile;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.Ownership;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.TargetPlugin.EmbeddedServer;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlStatement;

/**
 * An embedded PostgreSQL server, which runs the programs of {@code io.zonky.test}. The server's directory holds the programs, one data
 * directory for each major version, the password, the server's log and the lock.
 *
 * <p>The server's parent process is a shell. If this process ends without stopping the server, for example because it is killed, the
 * shell's standard input ends, and the shell stops the server. At its start, the shell also stops a server that a killed shell has left
 * running.
 */
public final class EmbeddedPostgresqlServer implements EmbeddedServer {
    private static final String USER = "postgres";

    private static final int STOP_SECONDS = 60;
    private static final Duration LOGIN = Duration.ofSeconds(30);
    /** The start of the line in which the shell prints the server's process number. */
    private static final String PROCESS = "process ";

    private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) (\\d+)");
    /** Starts the shell in its own session, so that killing the process group does not reach it. Not every system has setsid. */
    private static final Path SESSION = Path.of("/usr/bin/setsid");

    private static final int PASSWORD_BYTES = 16;
    private static final int ANYONE_MAY_EXECUTE = 0111;
    /** The environment variables that programs inherit. None of these variables holds a password or changes the server's settings. */
    private static final Set<String> VARIABLES = Set.of("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ");

    private static final Pattern DECISIVE = Pattern.compile("(?:PANIC|FATAL|ERROR|error|fatal):.*|could not fork.*");

    private final Path directory;
    private final Path data;
    private final Path password;
    private final Path log;
    /** The directory that holds {@code bin}, {@code lib} and {@code share}. */
    private final Path programs;

    private final List<String> notes = new CopyOnWriteArrayList<>();
    private final Closeable lock;
    private ServerAddress address = new ServerAddress("", USER, "");
    private List<String> arguments = List.of();
    private Optional<Process> shell = Optional.empty();
    /** The server's first process, once the server has been started. */
    private volatile Optional<ProcessHandle> process = Optional.empty();

    private boolean closed;

    /**
     * Unpacks the programs and creates a data directory for their version, unless they exist. Does not start the server.
     *
     * @param lock closed together with this server
     */
    EmbeddedPostgresqlServer(Path directory, Closeable lock) throws IOException {
        this.directory = directory;
        this.lock = lock;
        this.log = directory.resolve("server.log");
        this.programs = unpacked(directory);
        String said = run("run", "postgres", "--version");
        Matcher version = VERSION.matcher(said);
        if (!version.find()) {
            throw failed(
                    "run", said, "; if any program is damaged, delete " + programs + ": the next run unpacks them");
        }
        this.data = directory.resolve("data-" + version.group(1));
        this.password = directory.resolve("password-" + version.group(1));
        if (!Files.isDirectory(data)) {
            initialize();
        }
    }

    /** Starts the server. This process locks the directory until the server is closed or the process ends in any way. */
    public static EmbeddedServer start(EmbeddedOptions options) {
        Path directory = options.directory().toAbsolutePath().normalize();
        try {
            Ownership.ofThisUser().makePrivate(directory);
            FileChannel lock = DirectoryTree.tryLock(directory)
                    .orElseThrow(() -> new TargetException("another run uses the embedded server in " + directory
                            + "; wait until it has ended, or give this run another cache directory"));
            try {
                EmbeddedPostgresqlServer server = new EmbeddedPostgresqlServer(directory, lock);
                server.serve(options.sessions(), options.parameters());
                server.furnish();
                return server;
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw new TargetException(
                    "cannot start the embedded PostgreSQL in " + directory + ": " + RegularFile.reason(e)
                            + ". Use a directory that this user owns, on a disk with free space",
                    e);
        }
    }

    /** Creates the data directory under a temporary name and renames it when complete, so that an incomplete one is never used. */
    private void initialize() throws IOException {
        // Any user of the machine can reach the server's port, but only siemload's user can read the password's file.
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        Files.writeString(password, HexFormat.of().formatHex(random));
        Path unfinished = directory.resolve("data-unfinished");
        DirectoryTree.delete(unfinished);
        String unused = run(
                "initialize",
                "initdb",
                "--pgdata=" + unfinished.getFileName(),
                "--username=" + USER,
                "--auth=scram-sha-256",
                "--pwfile=" + password.getFileName(),
                "--encoding=UTF8",
                "--locale=C",
                // The number of times that each login hashes the password: once is enough for a random password.
                "--set=scram_iterations=1",
                "--no-instructions");
        Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Starts the server on a free port, and returns once it accepts connections. */
    void serve(int sessions, Map<String, String> parameters) throws IOException {
        if (!Files.isReadable(password)) {
            throw unusable("the embedded server's password cannot be read from " + password);
        }
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        long memory =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        arguments = new PostgresqlServer.RunParameters(parameters).arguments(port, memory, sessions);
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        address = new ServerAddress(url, USER, Files.readString(password));
        serve();
    }

    /** Starts the server and returns once it accepts connections. Other messages that the shell prints become notes. */
    private void serve() throws IOException {
        Files.deleteIfExists(log);
        List<String> command = new ArrayList<>(Files.isExecutable(SESSION) ? List.of(SESSION.toString()) : List.of());
        String script =
                RegularFile.resource(EmbeddedPostgresqlServer.class, "/siemload/database/postgresql/server/server.sh");
        command.addAll(List.of("/bin/sh", "-c", script, "server", data.toString(), log.toString()));
        command.addAll(command("postgres", "-D", data.toString()));
        command.addAll(arguments);
        Process parent = builder(directory, command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        shell = Optional.of(parent);
        BufferedReader told = parent.inputReader();
        for (String line = told.readLine(); line != null; line = told.readLine()) {
            if (line.equals("ready")) {
                return;
            } else if (line.startsWith("cannot ")) {
                throw failed("start", line, "");
            } else if (line.startsWith(PROCESS)) {
                process = ProcessHandle.of(Long.parseLong(line.substring(PROCESS.length())));
            } else {
                notes.add(line);
            }
        }
        TargetException late = failed(
                "start",
                log(),
                "; if its files are damaged, delete " + data
                        + ": the next run creates them again, and loads data sets again");
        boolean unused = hasEndedAfter("QUIT");
        throw late;
    }

    /** Creates the extension and the user that runs need. If this fails, stops the server. */
    private void furnish() throws IOException {
        try {
            removeAllBut(access(address).get("create pg_stat_statements", connection -> {
                SQL.read("create-statement-times").execute(connection);
                return SQL.read("databases").rows(connection, row -> row.getString(1));
            }));
            makePowerless(address);
        } catch (TargetException refused) {
            stop();
            throw unusable(refused.getMessage() + ", perhaps because " + password
                    + " does not hold the password of the embedded server");
        } catch (IOException | UncheckedIOException e) {
            stop();
            throw e;
        }
    }

    /** Deletes the files of unknown databases, which PostgreSQL leaves behind if it is killed while it copies a database. */
    private void removeAllBut(List<String> databases) throws IOException {
        try (Stream<Path> directories = Files.list(data.resolve("base"))) {
            for (Path directory : directories.toList()) {
                String name = directory.getFileName().toString();
                if (name.matches("\\d+") && !databases.contains(name)) {
                    DirectoryTree.delete(directory);
                }
            }
        }
    }

    private TargetException unusable(String reason) {
        return new TargetException(
                reason + " (delete " + data + ": the next run creates it again, and loads data sets again)");
    }

    /** Creates the user that executes statements from files, unless it exists, since the server's own user has all rights. */
    static void makePowerless(ServerAddress address) {
        access(address).run("make the user " + POWERLESS, connection -> {
            for (String statement : SQL.read("create-role")
                    .rows(connection, row -> row.getString(1), POWERLESS, address.password(), POWERLESS)) {
                SqlStatement.execute(connection, statement);
            }
        });
    }

    private static SqlAccess access(ServerAddress address) {
        return new PostgresqlConnections(address, LOGIN, List.of()).quick();
    }

    @Override
    public ServerAddress address() {
        return address;
    }

    @Override
    public List<String> notes() {
        return List.copyOf(notes);
    }

    @Override
    public String causeOfEnd() {
        return isRunning() ? "" : decisiveLine(log(), "");
    }

    @Override
    public OptionalLong process() {
        return isRunning() ? OptionalLong.of(process.orElseThrow().pid()) : OptionalLong.empty();
    }

    @Override
    public Optional<Path> files() {
        return Optional.of(data);
    }

    @Override
    public synchronized void restart(Runnable whileStopped) {
        if (closed) {
            throw new TargetException("the embedded PostgreSQL is closed and cannot restart");
        }
        try {
            stop();
            try {
                whileStopped.run();
            } finally {
                serve();
            }
        } catch (IOException e) {
            throw new TargetException("cannot restart the embedded PostgreSQL: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (lock) {
            stop();
        } catch (IOException e) {
            throw new TargetException("cannot stop the embedded PostgreSQL: " + e.getMessage(), e);
        }
    }

    /** Stops the server with a fast shutdown, or with an immediate one if it does not stop in time. */
    private void stop() {
        if (!hasEndedAfter("INT")) {
            notes.add("the embedded server did not stop in time (" + decisiveLine(log(), "")
                    + ") and was shut down immediately; it recovers at its next start");
            if (!hasEndedAfter("QUIT")) {
                throw failed("stop", log(), "");
            }
        }
    }

    private boolean hasEndedAfter(String signal) {
        if (shell.isEmpty()) {
            return true;
        }
        try {
            OutputStream input = shell.get().getOutputStream();
            input.write((signal + "\n").getBytes(StandardCharsets.US_ASCII));
            input.flush();
        } catch (IOException hasEnded) {
            // The shell has ended, and so has the server.
        }
        return shell.get()
                .onExit()
                .orTimeout(STOP_SECONDS, TimeUnit.SECONDS)
                .handle((ended, late) -> late == null)
                .join();
    }

    private boolean isRunning() {
        return process.filter(ProcessHandle::isAlive).isPresent();
    }

    private String log() {
        try {
            return Files.readString(log, StandardCharsets.ISO_8859_1);
        } catch (IOException none) {
            return "";
        }
    }

    /** Unpacks the programs from the class path into a directory, unless they are there. The caller holds the directory's lock. */
    static Path unpacked(Path directory) throws IOException {
        byte[] archive = archive();
        CRC32 checksum = new CRC32();
        checksum.update(archive);
        Path programs = directory.resolve(String.format(Locale.ROOT, "programs-%08x", checksum.getValue()));
        if (Files.isDirectory(programs)) {
            Ownership.ofThisUser().makePrivate(programs);
        } else {
            Path unfinished = directory.resolve("programs-unfinished");
            DirectoryTree.delete(unfinished);
            unpack(archive, unfinished);
            Files.move(unfinished, programs, StandardCopyOption.ATOMIC_MOVE);
        }
        return programs;
    }

    private static byte[] archive() throws IOException {
        var machine = ManagementFactory.getOperatingSystemMXBean();
        String system = machine.getName().replaceFirst("Mac.*", "Darwin");
        String hardware = machine.getArch().replace("amd64", "x86_64");
        try (InputStream stream = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, hardware)) {
            return stream.readAllBytes();
        } catch (IllegalStateException e) {
            throw new TargetException(
                    "there is no embedded PostgreSQL for " + system + " on " + hardware
                            + "; install PostgreSQL, and set the property url to its address",
                    e);
        }
    }

    /** Unpacks an archive. A program that cannot be made executable fails with a message when it is run. */
    private static void unpack(byte[] archive, Path directory) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = directory.resolve(entry.getName());
                Files.createDirectories(entry.isDirectory() ? path : path.resolveSibling("."));
                if (entry.isSymbolicLink() || entry.isLink()) {
                    Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
                } else if (!entry.isDirectory()) {
                    Files.copy(tar, path);
                    boolean unused = path.toFile().setExecutable((entry.getMode() & ANYONE_MAY_EXECUTE) != 0, false);
                }
            }
        }
    }

    /**
     * Runs a program to its end.
     *
     * @param tried the verb for messages, such as {@code initialize}
     * @param program the program's name
     * @return the program's output
     */
    private String run(String tried, String program, String... with) throws IOException {
        Path output = directory.resolve(program + ".log");
        try {
            int exitCode = builder(directory, command(program, with))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start()
                    .waitFor();
            String said = Files.readString(output, StandardCharsets.ISO_8859_1);
            if (exitCode != 0) {
                // If no other reason is known, the programs may be damaged.
                throw failed(
                        tried, said, "; if any program is damaged, delete " + programs + ": the next run unpacks them");
            }
            return said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("waiting for " + program + " of the embedded server was interrupted", e);
        }
    }

    /** Prepares a process in the directory, with only the environment variables that it needs. */
    static ProcessBuilder builder(Path directory, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(directory.toFile());
        builder.environment().keySet().retainAll(VARIABLES);
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    /** The command for a program. PostgreSQL refuses to run as root, so it runs in its own user namespace if possible. */
    private List<String> command(String program, String... with) {
        List<String> command = new ArrayList<>(LinuxUtils.isUnshareAvailable() ? List.of("unshare", "-U") : List.of());
        command.add(programs.resolve("bin").resolve(program).toString());
        command.addAll(List.of(with));
        return command;
    }

    private TargetException failed(String tried, String output, String otherwise) {
        return new TargetException("cannot " + tried + " the embedded PostgreSQL in " + directory + ": "
                + decisiveLine(output, otherwise));
    }

    /**
     * Returns the line of an output or a log that explains why a program failed, without time and process number, but with advice.
     *
     * @param otherwise the default advice
     */
    static String decisiveLine(String output, String otherwise) {
        Matcher decisive = DECISIVE.matcher(output);
        String line = decisive.find()
                ? decisive.group()
                : output.lines().filter(one -> !one.isBlank()).reduce("it printed nothing", (before, last) -> last);
        String advice = SQL.part("advice", Map.of())
                .lines()
                .map(known -> known.split(": ", 2))
                .filter(known -> output.contains(known[0]))
                .findFirst()
                .map(known -> "; " + known[1])
                .orElse(otherwise);
        return line.strip() + advice;
    }
}
