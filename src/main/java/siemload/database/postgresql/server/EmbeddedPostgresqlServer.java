package siemload.database.postgresql.server;

import static siemload.database.postgresql.connection.PostgresqlConnections.POWERLESS;
import static siemload.database.postgresql.connection.PostgresqlConnections.SQL;

import com.sun.management.OperatingSystemMXBean;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.FileLocks;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.EmbeddedServer;
import siemload.database.ResourceFile;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.server.EmbeddedPostgresqlServer.ServerPrograms.Outcome;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlStatement;

/**
 * A PostgreSQL server of the suite's own, with the programs of {@code io.zonky.test}. Its directory holds the programs,
 * one data directory for each major version, the password, the server's log and the lock.
 */
public final class EmbeddedPostgresqlServer implements EmbeddedServer {
    /** The only user of the server. */
    private static final String USER = "postgres";

    private static final String LOG = "server.log";
    private static final String PROCESS = "postmaster.pid";
    private static final String SETTINGS = "siemload.conf";
    private static final String START_SECONDS = "120";
    private static final String STOP_SECONDS = "60";
    private static final Duration LOGIN = Duration.ofSeconds(30);
    private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) (\\d+)");
    private static final Path SHELL = Path.of("/bin/sh");
    /** Puts the shell out of reach of what kills a whole group of processes; not every system has it. */
    private static final Path SESSION = Path.of("/usr/bin/setsid");

    private static final int PASSWORD_BYTES = 16;

    private final Path directory;
    private final Path data;
    private final Path password;
    private final ServerPrograms programs;
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private final Closeable lock;
    private ServerAddress address = new ServerAddress("", USER, "");
    /** The text of its configuration file. */
    private String settings = "";
    /** Of the server program, which win over the settings. */
    private List<String> arguments = List.of();
    /** The server's first process, once it was started. */
    private volatile Optional<ProcessHandle> process = Optional.empty();
    /**
     * A shell that starts the server and stays beside it: where this process is gone without having stopped the server, killed for
     * instance, the shell ends it within a moment. It knows by the end of its input, which this process alone holds.
     */
    private Optional<Process> guard = Optional.empty();

    private boolean closed;

    private EmbeddedPostgresqlServer(ServerPrograms programs, String version, Closeable lock) {
        this.directory = programs.directory();
        this.data = directory.resolve("data-" + version);
        this.password = directory.resolve("password-" + version);
        this.programs = programs;
        this.lock = lock;
    }

    /** Starts it; the directory is this process's until it is closed, or the process ends, however it ends. */
    public static EmbeddedServer start(EmbeddedOptions options) {
        Path directory = options.directory().toAbsolutePath().normalize();
        try {
            Ownership.ofThisUser().makePrivate(directory);
            FileChannel lock = FileLocks.tryLock(directory)
                    .orElseThrow(() -> new TargetException("another run uses the embedded server in " + directory
                            + "; wait until it has ended, or give this run another cache directory"));
            try {
                EmbeddedPostgresqlServer server = prepare(directory, lock);
                server.stopOrphan();
                server.serve(options.sessions(), options.parameters());
                server.furnish();
                return server;
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw new TargetException(
                    "cannot start the embedded PostgreSQL in " + directory + ": " + Reason.of(e)
                            + ". Give it a directory of this user on a disk with free space",
                    e);
        }
    }

    /**
     * Programs and a data directory for their version, made where there are none; nothing runs yet.
     *
     * @param lock is closed with it
     */
    static EmbeddedPostgresqlServer prepare(Path directory, Closeable lock) throws IOException {
        ServerPrograms programs = ServerPrograms.unpacked(directory);
        Outcome outcome = programs.run("postgres", List.of("--version"));
        Matcher version = VERSION.matcher(outcome.output());
        if (!outcome.succeeded() || !version.find()) {
            throw new TargetException("cannot run the embedded PostgreSQL in " + directory + ": "
                    + ServerPrograms.decisiveLine(
                            outcome.output(),
                            "; if its programs are damaged, delete " + programs.programs()
                                    + ": they are unpacked anew"));
        }
        EmbeddedPostgresqlServer prepared = new EmbeddedPostgresqlServer(programs, version.group(1), lock);
        if (!Files.isDirectory(prepared.data)) {
            prepared.initialize();
        }
        return prepared;
    }

    /** Under another name until it is complete, so that an interrupted attempt leaves no half of one. */
    private void initialize() throws IOException {
        // Any user of the machine can reach the port, but only this one can read what lies in the directory.
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        Files.writeString(password, HexFormat.of().formatHex(random));
        Path unfinished = directory.resolve("data-unfinished");
        DirectoryTree.delete(unfinished);
        Outcome outcome = programs.run(
                "initdb",
                List.of(
                        "--pgdata=" + unfinished.getFileName(),
                        "--username=" + USER,
                        "--auth=scram-sha-256",
                        "--pwfile=" + password.getFileName(),
                        "--encoding=UTF8",
                        "--locale=C",
                        // How often each client hashes the password, at each connection: a random one cannot be guessed
                        // anyway.
                        "--set=scram_iterations=1",
                        "--no-instructions"));
        if (!outcome.succeeded()) {
            throw failed("initialize", ServerPrograms.decisiveLine(outcome.output()));
        }
        Files.writeString(
                unfinished.resolve("postgresql.conf"), "\ninclude = '" + SETTINGS + "'\n", StandardOpenOption.APPEND);
        Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Starts the server on a free port, and returns when it accepts connections. */
    void serve(int sessions, Map<String, String> parameters) throws IOException {
        if (!Files.isReadable(password)) {
            throw unusable("the embedded server's password cannot be read from " + password);
        }
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        settings = ServerSettings.of(port, sessions);
        arguments = new PostgresqlRunParameters(parameters).arguments();
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        address = new ServerAddress(url, USER, Files.readString(password));
        serve();
    }

    private void serve() throws IOException {
        Files.writeString(data.resolve(SETTINGS), settings);
        Files.deleteIfExists(directory.resolve(LOG));
        // The program that starts the server hands its arguments to a shell.
        String quoted = arguments.stream()
                .map(argument -> "'" + argument.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        Outcome outcome = guarded(controlling("start", "-t", START_SECONDS, "-l", LOG, "-o", quoted));
        process = namedServer();
        if (!outcome.succeeded()) {
            String log = Files.exists(directory.resolve(LOG)) ? log() : outcome.output();
            if (isRunning()) {
                control("stop", "-m", "immediate", "-t", STOP_SECONDS);
            }
            releaseGuard();
            String ifDamaged = "; if its files are damaged, delete " + data
                    + ": they are made anew, and data sets are loaded again";
            throw failed("start", ServerPrograms.decisiveLine(log, ifDamaged));
        }
    }

    /** Runs the program that starts the server, with a shell beside it; on a system without one nobody stays beside it. */
    private Outcome guarded(List<String> starting) throws IOException {
        if (!Files.isExecutable(SHELL)) {
            return programs.run("pg_ctl", starting);
        }
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SESSION)) {
            command.add(SESSION.toString());
        }
        String guarding =
                ResourceFile.text(EmbeddedPostgresqlServer.class, "/siemload/database/postgresql/server/guard.sh");
        command.addAll(List.of(SHELL.toString(), "-c", guarding, "guard", name(), programs.output("pg_ctl")));
        command.addAll(programs.command("pg_ctl", starting));
        Process shell = programs.builder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        guard = Optional.of(shell);
        BufferedReader codes = shell.inputReader(StandardCharsets.ISO_8859_1);
        String code = Optional.ofNullable(codes.readLine()).orElse("-1");
        return new Outcome(Integer.parseInt(code), programs.said("pg_ctl"));
    }

    /** Lets the shell go: the server has ended. */
    private void releaseGuard() {
        guard.ifPresent(shell -> {
            try (OutputStream input = shell.getOutputStream()) {
                input.write('\n');
            } catch (IOException hasEnded) {
                // there is nothing that it could still do
            }
            shell.onExit().join();
        });
        guard = Optional.empty();
    }

    /** Makes what runs need in it; a server that cannot be used is stopped. */
    private void furnish() throws IOException {
        try {
            access(address).run("create pg_stat_statements", SQL.read("create-statement-times")::execute);
            makePowerless(address);
        } catch (TargetException refused) {
            stop();
            throw unusable(refused.getMessage() + ", perhaps since " + password
                    + " does not hold the password of the embedded server");
        }
    }

    /** Makes the user who executes the statements of files, unless it is there: the server's own user may do anything. */
    static void makePowerless(ServerAddress address) {
        access(address).run("make the user " + POWERLESS, connection -> {
            for (String statement : SQL.read("create-role")
                    .rows(connection, row -> row.getString(1), POWERLESS, address.password(), POWERLESS)) {
                SqlStatement.execute(connection, statement);
            }
        });
    }

    private static SqlAccess access(ServerAddress address) {
        return new PostgresqlConnections(address, LOGIN, LOGIN, List.of()).quick();
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
        try {
            return isRunning() ? "" : ServerPrograms.decisiveLine(log());
        } catch (IOException unknown) {
            return "";
        }
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
            throw new TargetException("the embedded PostgreSQL was stopped for good");
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

    /** Stops the server: at once if it does not stop in good time. */
    private void stop() throws IOException {
        Outcome outcome = control("stop", "-m", "fast", "-t", STOP_SECONDS);
        if (!outcome.succeeded() && isRunning()) {
            notes.add("the embedded server did not stop in time (" + ServerPrograms.decisiveLine(log())
                    + ") and was stopped at once; it repairs its files at its next start");
            outcome = control("stop", "-m", "immediate", "-t", STOP_SECONDS);
        }
        if (!outcome.succeeded() && isRunning()) {
            throw failed("stop", ServerPrograms.decisiveLine(outcome.output()));
        }
        releaseGuard();
    }

    /**
     * Stops the server that a killed run left behind; one of another directory is left alone: the file that names it may have come
     * with a copy, and after a crash of the machine the number may belong to any process. This process holds the lock, so that what works in
     * the data directory is nobody's. Where the system does not tell in which directory a process works, the server itself decides.
     */
    private void stopOrphan() throws IOException {
        Path file = data.resolve(PROCESS);
        if (!Files.exists(file) || !Files.isDirectory(Path.of("/proc/self"))) {
            return;
        }
        process = namedServer();
        if (process.isPresent() && worksHere(process.get())) {
            stop();
            notes.add("stopped the server that a killed run had left in " + data);
        } else {
            Files.delete(file);
            process.ifPresent(other -> notes.add(file + " named process " + other.pid()
                    + ", which is not the server of this directory and was left alone (the directory was copied, or the machine"
                    + " restarted, while a server ran in it)"));
        }
    }

    private boolean worksHere(ProcessHandle server) throws IOException {
        try {
            return Files.isSameFile(Path.of("/proc", Long.toString(server.pid()), "cwd"), data);
        } catch (NoSuchFileException | AccessDeniedException endedOrOfAnotherUser) {
            return false;
        }
    }

    /** The running server that the data directory's file names; the system may have given its number to another one. */
    private Optional<ProcessHandle> namedServer() throws IOException {
        Path file = data.resolve(PROCESS);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return Files.readString(file, StandardCharsets.ISO_8859_1)
                .lines()
                .limit(1)
                .filter(number -> number.matches("\\d{1,18}"))
                .flatMap(number -> ProcessHandle.of(Long.parseLong(number)).stream())
                .filter(EmbeddedPostgresqlServer::isServer)
                .findFirst();
    }

    /** What has ended has no program, also where nobody has asked for its exit code yet. */
    private static boolean isServer(ProcessHandle process) {
        return process.info()
                .command()
                .filter(command -> command.matches(".*[/\\\\]postgres(\\.exe)?"))
                .isPresent();
    }

    private boolean isRunning() {
        return process.filter(ProcessHandle::isAlive)
                .filter(EmbeddedPostgresqlServer::isServer)
                .isPresent();
    }

    private String log() throws IOException {
        return Files.readString(directory.resolve(LOG), StandardCharsets.ISO_8859_1);
    }

    private String name() {
        return data.getFileName().toString();
    }

    private Outcome control(String action, String... more) throws IOException {
        return programs.run("pg_ctl", controlling(action, more));
    }

    private List<String> controlling(String action, String... more) {
        List<String> all = new ArrayList<>(List.of(action, "-D", name(), "-w"));
        all.addAll(List.of(more));
        return all;
    }

    private TargetException unusable(String reason) {
        return new TargetException(reason + " (delete " + data + ": it is made anew, and data sets are loaded again)");
    }

    private TargetException failed(String action, String reason) {
        return new TargetException("cannot " + action + " the embedded PostgreSQL in " + directory + ": " + reason);
    }

    /**
     * The programs of PostgreSQL on the class path, unpacked once: {@code initdb}, {@code pg_ctl}, {@code postgres}.
     *
     * @param programs the directory that holds {@code bin}, {@code lib} and {@code share}
     * @param directory where the programs run and their output goes to
     */
    record ServerPrograms(Path programs, Path directory) {
        private static final int ANYONE_MAY_EXECUTE = 0111;
        /** What programs need to be found and to write their files: neither passwords nor what would change the server. */
        private static final Set<String> VARIABLES = Set.of("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ");

        /** What of an output says why a program failed. */
        private static final Pattern DECISIVE =
                Pattern.compile("(?:PANIC|FATAL|ERROR|error|fatal):.*|could not fork.*");

        /** What can be done, by what was said; the first that fits. */
        private static final List<String[]> ADVICE =
                """
                Cannot allocate memory: there is too little free memory: end other programs, or use your own server
                shared memory: give the machine or container more shared memory (Docker: --shm-size=256m)
                No space left on device: free some disk space, or use another cache directory
                cannot be run as root: run as an ordinary user, or allow user namespaces (unshare -U)
                Address already in use: the port was taken meanwhile: try again, or name another port
                Resource temporarily unavailable: this user may have no more processes: end some, or raise the limit (ulimit -u)
                wrong ownership: the directory belongs to another user: use another cache directory
                user does not exist: run as a user that the system knows by name
                """.lines().map(line -> line.split(": ", 2)).toList();

        /** Unpacks them below a directory, whose lock the caller holds, unless they are there already. */
        static ServerPrograms unpacked(Path directory) throws IOException {
            byte[] archive = archive();
            CRC32 checksum = new CRC32();
            checksum.update(archive);
            Path programs = directory.resolve(String.format(Locale.ROOT, "programs-%08x", checksum.getValue()));
            if (Files.isDirectory(programs)) {
                Ownership.ofThisUser().requirePrivate(programs);
            } else {
                Path unfinished = directory.resolve("programs-unfinished");
                DirectoryTree.delete(unfinished);
                unpack(archive, unfinished);
                Files.move(unfinished, programs, StandardCopyOption.ATOMIC_MOVE);
            }
            return new ServerPrograms(programs, directory);
        }

        private static byte[] archive() throws IOException {
            var machine = ManagementFactory.getOperatingSystemMXBean();
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
                        throw new IOException(
                                "the archive of PostgreSQL holds a path outside of it: " + entry.getName());
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
         * Runs a program to its end.
         *
         * @param program its name, to which the arguments are added
         */
        Outcome run(String program, List<String> arguments) throws IOException {
            try {
                // A file and no pipe: the server, a grandchild, would keep a pipe open for as long as it runs.
                int exitCode = builder(command(program, arguments))
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve(output(program)).toFile())
                        .start()
                        .waitFor();
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
            Matcher decisive = DECISIVE.matcher(output);
            String line = decisive.find()
                    ? decisive.group()
                    : output.lines().filter(one -> !one.isBlank()).reduce("it said nothing", (before, last) -> last);
            String advice = ADVICE.stream()
                    .filter(known -> output.contains(known[0]))
                    .findFirst()
                    .map(known -> "; " + known[1])
                    .orElse(otherwise);
            return line.strip() + advice;
        }
    }

    /** The configuration of a server of our own: what an expert would set on a machine that it shares with the load. */
    static final class ServerSettings {
        private static final int SERVER_CONNECTIONS = 10;
        private static final long MEGABYTE = 1 << 20;

        /** A container's server listens as its image wants it to, and has those libraries that the image knows it needs. */
        private static final Set<String> OF_IMAGES =
                Set.of("listen_addresses", "port", "unix_socket_directories", "shared_preload_libraries");

        private static final Pattern LINE = Pattern.compile("(?m)^(\\w+) = '?([^'\\n]*)'?$");

        private ServerSettings() {}

        /** The text of the embedded server's configuration file for this port and this many sessions. */
        static String of(int port, int sessions) {
            return filled(port, sessions, megabytesOfMemory());
        }

        /** The settings of a server in a container with this memory, as arguments, but for what its image settles. */
        static List<String> arguments(long memoryBytes, int sessions) {
            return LINE.matcher(filled(0, sessions, memoryBytes / MEGABYTE))
                    .results()
                    .filter(line -> !OF_IMAGES.contains(line.group(1)))
                    .flatMap(line -> Stream.of("-c", line.group(1) + "=" + line.group(2)))
                    .toList();
        }

        private static String filled(int port, int sessions, long memory) {
            return SqlStatement.fill(
                    ResourceFile.text(ServerSettings.class, "/siemload/database/postgresql/server/embedded.conf"),
                    Map.of(
                            "port", Integer.toString(port),
                            "max_connections", Integer.toString(connections(sessions)),
                            "shared_buffers", between(128, memory / 4, 4_096),
                            "effective_cache_size", between(128, memory / 2, Integer.MAX_VALUE),
                            "maintenance_work_mem", between(64, memory / 16, 1_024),
                            "work_mem", between(4, memory / 256, 32)));
        }

        /** In hundreds, or every number of users, and cursors beside them, would make another server to compare runs on. */
        private static int connections(int sessions) {
            return (sessions + SERVER_CONNECTIONS + 99) / 100 * 100;
        }

        private static String between(long least, long megabytes, long most) {
            return Math.max(least, Math.min(megabytes, most)) + "MB";
        }

        /** The memory of the machine, or of the container. */
        private static long megabytesOfMemory() {
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            return system.getTotalMemorySize() / MEGABYTE;
        }
    }
}
