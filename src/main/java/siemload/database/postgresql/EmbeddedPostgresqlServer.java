package siemload.database.postgresql;

import static siemload.database.postgresql.PostgresqlConnections.POWERLESS;
import static siemload.database.postgresql.PostgresqlConnections.SQL;

import com.sun.management.OperatingSystemMXBean;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.util.LinuxUtils;
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
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.FileLocks;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.EmbeddedServer;
import siemload.database.Pause;
import siemload.database.ResourceFile;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.sql.SqlAccess;
import siemload.database.sql.SqlStatement;

/**
 * A PostgreSQL server of the suite's own, with the programs of {@code io.zonky.test}. Its directory holds the programs,
 * one data directory for each major version, the password, the server's log and the lock.
 *
 * <p>A shell is the server's parent: where this process is gone without having stopped the server, killed for instance, the shell ends it
 * within a moment. It knows by the end of its input, which this process alone holds.
 */
public final class EmbeddedPostgresqlServer implements EmbeddedServer {
    /** The only user of the server. */
    private static final String USER = "postgres";

    private static final int START_SECONDS = 120;
    private static final int STOP_SECONDS = 60;
    private static final int BETWEEN_LOOKS_MILLIS = 20;
    private static final Duration LOGIN = Duration.ofSeconds(30);
    private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) (\\d+)");
    private static final String SHELL = "/bin/sh";
    /** Puts the shell out of reach of what kills a whole group of processes; not every system has it. */
    private static final Path SESSION = Path.of("/usr/bin/setsid");

    private static final int PASSWORD_BYTES = 16;
    private static final int ANYONE_MAY_EXECUTE = 0111;
    /** What programs need to be found and to write their files: neither passwords nor what would change the server. */
    private static final Set<String> VARIABLES = Set.of("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ");

    /** What of an output says why a program failed. */
    private static final Pattern DECISIVE = Pattern.compile("(?:PANIC|FATAL|ERROR|error|fatal):.*|could not fork.*");

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
    /** The server's first process, once it was started. */
    private volatile Optional<ProcessHandle> process = Optional.empty();

    private boolean closed;

    private EmbeddedPostgresqlServer(Path directory, Closeable lock) throws IOException {
        this.directory = directory;
        this.lock = lock;
        this.log = directory.resolve("server.log");
        this.programs = unpacked(directory);
        String said = run("run", "postgres", List.of("--version"));
        Matcher version = VERSION.matcher(said);
        if (!version.find()) {
            throw failed("run", said);
        }
        this.data = directory.resolve("data-" + version.group(1));
        this.password = directory.resolve("password-" + version.group(1));
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
        EmbeddedPostgresqlServer prepared = new EmbeddedPostgresqlServer(directory, lock);
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
        String unused = run(
                "initialize",
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
        long memory =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        arguments = new PostgresqlRunParameters(parameters).arguments(port, memory, sessions);
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        address = new ServerAddress(url, USER, Files.readString(password));
        serve();
    }

    private void serve() throws IOException {
        Files.deleteIfExists(log);
        List<String> command = new ArrayList<>(Files.isExecutable(SESSION) ? List.of(SESSION.toString()) : List.of());
        String script =
                ResourceFile.text(EmbeddedPostgresqlServer.class, "/siemload/database/postgresql/server/server.sh");
        command.addAll(List.of(SHELL, "-c", script, "server", log.toString()));
        command.addAll(command("postgres", List.of("-D", data.toString())));
        command.addAll(arguments);
        Process parent = builder(directory, command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        shell = Optional.of(parent);
        String number = Optional.ofNullable(
                        parent.inputReader(StandardCharsets.US_ASCII).readLine())
                .orElse("-1");
        process = ProcessHandle.of(Long.parseLong(number));
        try {
            awaitStart(number);
        } catch (IOException | TargetException late) {
            boolean unused = hasEndedAfter("QUIT");
            throw late;
        }
    }

    private void awaitStart(String number) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        List<String> status = status();
        while (status.size() < 8
                || !status.get(0).equals(number)
                || !status.get(7).startsWith("ready")) {
            if (!isRunning() || System.nanoTime() - deadline > 0) {
                throw failed(
                        "start",
                        log(),
                        "; if its files are damaged, delete " + data
                                + ": they are made anew, and data sets are loaded again");
            }
            Pause.millis(BETWEEN_LOOKS_MILLIS, "the start of the embedded server");
            status = status();
        }
    }

    private Path statusFile() {
        return data.resolve("postmaster.pid");
    }

    /** What the server says of itself: the number of its process in the first line, how far it is in the eighth. */
    private List<String> status() throws IOException {
        try {
            return Files.readAllLines(statusFile(), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException notRunning) {
            return List.of();
        }
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
    public static void makePowerless(ServerAddress address) {
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
            return isRunning() ? "" : decisiveLine(log(), "");
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
        if (!hasEndedAfter("INT")) {
            notes.add("the embedded server did not stop in time (" + decisiveLine(log(), "")
                    + ") and was stopped at once; it repairs its files at its next start");
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
            // Then so has the server.
        }
        return endsInTime(shell.get().onExit());
    }

    private static boolean endsInTime(CompletableFuture<?> end) {
        return end.orTimeout(STOP_SECONDS, TimeUnit.SECONDS)
                .handle((ended, late) -> late == null)
                .join();
    }

    private boolean endsAfter(String signal, ProcessHandle orphan) throws IOException {
        Process unused = builder(directory, List.of(SHELL, "-c", "kill -" + signal + " " + orphan.pid()))
                .start();
        return endsInTime(orphan.onExit());
    }

    /**
     * Stops the server that a killed run left behind, whose shell was killed as well; one of another directory is left alone: the file that
     * names it may have come with a copy, and after a crash of the machine the number may belong to any process. This process holds the lock,
     * so that what works in the data directory is nobody's. Where the system does not tell in which directory a process works, the server
     * itself decides.
     */
    private void stopOrphan() throws IOException {
        List<String> status = status();
        if (status.isEmpty() || !Files.isDirectory(Path.of("/proc/self"))) {
            return;
        }
        Optional<ProcessHandle> named =
                status.get(0).matches("\\d{1,18}") ? ProcessHandle.of(Long.parseLong(status.get(0))) : Optional.empty();
        if (named.isPresent() && worksHere(named.get())) {
            if (!endsAfter("INT", named.get()) && !endsAfter("QUIT", named.get())) {
                throw failed("stop", log(), "");
            }
            notes.add("stopped the server that a killed run had left in " + data);
        } else {
            Files.delete(statusFile());
            named.ifPresent(other -> notes.add(statusFile() + " named process " + other.pid()
                    + ", which is not the server of this directory and was left alone (the directory was copied, or the machine"
                    + " restarted, while a server ran in it)"));
        }
    }

    private boolean worksHere(ProcessHandle server) {
        try {
            return Files.isSameFile(Path.of("/proc", Long.toString(server.pid()), "cwd"), data);
        } catch (IOException endedOrOfAnotherUser) {
            return false;
        }
    }

    private boolean isRunning() {
        return process.filter(ProcessHandle::isAlive).isPresent();
    }

    private String log() throws IOException {
        return Files.exists(log) ? Files.readString(log, StandardCharsets.ISO_8859_1) : "";
    }

    private TargetException unusable(String reason) {
        return new TargetException(reason + " (delete " + data + ": it is made anew, and data sets are loaded again)");
    }

    /** Unpacks the programs on the class path below a directory, whose lock the caller holds, unless they are there already. */
    static Path unpacked(Path directory) throws IOException {
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
     * Runs a program to its end.
     *
     * @param tried for people: {@code initialize}
     * @param program its name, to which the arguments are added
     * @return what it said
     */
    private String run(String tried, String program, List<String> arguments) throws IOException {
        Path output = directory.resolve(program + ".log");
        try {
            int exitCode = builder(directory, command(program, arguments))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start()
                    .waitFor();
            String said = Files.readString(output, StandardCharsets.ISO_8859_1);
            if (exitCode != 0) {
                throw failed(tried, said);
            }
            return said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("waiting for " + program + " of the embedded server was interrupted", e);
        }
    }

    /** A process in the directory, with no more of the environment than it needs. */
    static ProcessBuilder builder(Path directory, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(directory.toFile());
        builder.environment().keySet().retainAll(VARIABLES);
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    /** What runs a program. */
    private List<String> command(String program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) {
            // PostgreSQL refuses to run as root; inside a user namespace of its own it does not see that it is.
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(programs.resolve("bin").resolve(program).toString());
        command.addAll(arguments);
        return command;
    }

    /** Where nothing else is known, the programs may be damaged. */
    private TargetException failed(String tried, String output) {
        return failed(tried, output, "; if its programs are damaged, delete " + programs + ": they are unpacked anew");
    }

    private TargetException failed(String tried, String output, String otherwise) {
        return new TargetException("cannot " + tried + " the embedded PostgreSQL in " + directory + ": "
                + decisiveLine(output, otherwise));
    }

    /**
     * The line of an output or a log that says why a program failed, without time and process number, and with advice.
     *
     * @param otherwise the advice where none is known
     */
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
