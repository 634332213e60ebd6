package siemload.database.postgresql.server;

import static siemload.database.postgresql.connection.PostgresqlConnections.POWERLESS;
import static siemload.database.postgresql.connection.PostgresqlConnections.SQL;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import siemload.config.directory.DirectoryTree;
import siemload.config.directory.FileLocks;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.EmbeddedServer;
import siemload.database.ResourceFile;
import siemload.database.ServerAddress;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.postgresql.server.ServerPrograms.Outcome;
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
    private static final String MOMENT_SECONDS = "5";
    private static final String PATIENCE_SECONDS = "55";
    private static final Duration LOGIN = Duration.ofSeconds(30);
    private static final Path SHELL = Path.of("/bin/sh");
    /** Puts the shell out of reach of what kills a whole group of processes; not every system has it. */
    private static final Path SESSION = Path.of("/usr/bin/setsid");

    /** What the system tells of processes; not every system has it. */
    private static final Path PROCESSES = Path.of("/proc");

    /**
     * How often the password is hashed, by each client at each connection: that slows down who guesses passwords, and is most of
     * the processor time of connecting. A random password cannot be guessed.
     */
    private static final String ITERATIONS = "scram_iterations";

    private static final int PASSWORD_BYTES = 16;

    private final Path directory;
    private final Path data;
    private final Path password;
    private final ServerPrograms programs;
    private final List<String> notes;
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

    private EmbeddedPostgresqlServer(ServerPrograms programs, String version, List<String> notes, Closeable lock) {
        this.directory = programs.directory();
        this.data = directory.resolve("data-" + version);
        this.password = directory.resolve("password-" + version);
        this.programs = programs;
        this.notes = new CopyOnWriteArrayList<>(notes);
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
        List<String> notes = new ArrayList<>();
        ServerPrograms programs = ServerPrograms.unpacked(directory, notes::add);
        Outcome version = programs.run("postgres", List.of("--version"));
        String number = version.output().replaceAll("\\D*(\\d+).*", "$1").strip();
        EmbeddedPostgresqlServer prepared = new EmbeddedPostgresqlServer(programs, number, notes, lock);
        if (!version.succeeded()) {
            throw prepared.failed("run", ServerPrograms.decisiveLine(version.output()));
        }
        if (!Files.isDirectory(prepared.data)) {
            prepared.initialize();
        }
        return prepared;
    }

    /** Under another name until it is complete, so that an interrupted attempt leaves no half of one. */
    private void initialize() throws IOException {
        writePassword();
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
                        "--set=" + ITERATIONS + "=1",
                        "--no-instructions"));
        if (!outcome.succeeded()) {
            throw failed("initialize", ServerPrograms.decisiveLine(outcome.output()));
        }
        Path configuration = unfinished.resolve("postgresql.conf");
        String withoutIterations = Files.readString(configuration).replaceAll("(?m)^" + ITERATIONS + ".*", "");
        Files.writeString(configuration, withoutIterations + "\ninclude = '" + SETTINGS + "'\n");
        Files.move(unfinished, data, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Any user of the machine can reach the port, but only this one can read the password. */
    private void writePassword() throws IOException {
        Files.deleteIfExists(password);
        Files.createFile(password);
        if (Files.getFileAttributeView(password, PosixFileAttributeView.class) != null) {
            Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        }
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        Files.writeString(password, HexFormat.of().formatHex(random));
    }

    /** Starts the server on a free port, and returns when it accepts connections. */
    void serve(int sessions, Map<String, String> parameters) throws IOException {
        String secret;
        try {
            secret = Files.readString(password);
        } catch (IOException unreadable) {
            // Without a colon behind the name of the file, or what follows would be taken for the password and masked.
            String reason = Reason.of(unreadable).replace(password + ": ", "");
            throw unusable("the embedded server's password cannot be read from " + password + ", since " + reason);
        }
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        settings = PostgresqlServerSettings.of(port, sessions);
        arguments = new PostgresqlRunParameters(parameters).arguments();
        address = new ServerAddress("jdbc:postgresql://127.0.0.1:" + port + "/postgres", USER, secret);
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
                control("stop", "-m", "immediate", "-t", MOMENT_SECONDS);
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
        command.addAll(List.of(
                SHELL.toString(),
                "-c",
                ResourceFile.text(EmbeddedPostgresqlServer.class, "/siemload/database/postgresql/server/guard.sh"),
                "guard"));
        command.addAll(List.of(name(), programs.output("pg_ctl")));
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

    /** Sees to it that the password is that of this server, and makes what runs need in it; else it is stopped. */
    private void furnish() throws IOException {
        try {
            access(address).opening().open().close();
            access(address).run("create pg_stat_statements", SQL.read("create-statement-times")::execute);
            makePowerless(address);
        } catch (SQLException refused) {
            stop();
            throw PostgresqlErrors.isWrongPassword(refused)
                    ? unusable(password + " does not hold the password of the embedded server")
                    : PostgresqlErrors.INSTANCE.outsideRun("cannot log in to the embedded PostgreSQL", refused);
        } catch (TargetException refused) {
            stop();
            throw refused;
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

    /** Stops the server: at once if it does not stop in good time, or cannot write its last checkpoint. */
    private void stop() throws IOException {
        Outcome outcome = control("stop", "-m", "fast", "-t", MOMENT_SECONDS);
        if (!outcome.succeeded() && isRunning() && !log().contains("No space left on device")) {
            outcome = control("stop", "-m", "fast", "-t", PATIENCE_SECONDS);
        }
        if (!outcome.succeeded() && isRunning()) {
            notes.add("the embedded server did not stop in time (" + ServerPrograms.decisiveLine(log())
                    + ") and was stopped at once; it repairs its files at its next start");
            outcome = control("stop", "-m", "immediate", "-t", PATIENCE_SECONDS);
        }
        if (!outcome.succeeded() && isRunning()) {
            throw failed("stop", ServerPrograms.decisiveLine(outcome.output()));
        }
        releaseGuard();
    }

    /**
     * Stops the server that a killed run left behind; one of another directory is left alone: the file that names it may have come
     * with a copy. This process holds the lock, so that what works in the data directory is nobody's. Where the system does not
     * tell in which directory a process works, the user has to say whose it is.
     */
    private void stopOrphan() throws IOException {
        Optional<ProcessHandle> named = namedServer();
        Path file = data.resolve(PROCESS);
        if (named.isEmpty()) {
            // After a crash of the machine the number may belong to any process; the server would refuse to start.
            Files.deleteIfExists(file);
            return;
        }
        long number = named.get().pid();
        if (!Files.isDirectory(PROCESSES.resolve("self"))) {
            throw new TargetException("a PostgreSQL server is running as process " + number + ", which " + file
                    + " names: end it if it works in " + data + ", and delete that file if it does not");
        }
        if (worksHere(number)) {
            process = named;
            stop();
            notes.add("stopped the server that a killed run had left in " + data);
        } else {
            Files.delete(file);
            notes.add(file + " named process " + number + ", which is not the server of this directory and was left"
                    + " alone (the directory was copied, or the machine restarted, while a server ran in it)");
        }
    }

    private boolean worksHere(long number) throws IOException {
        try {
            return Files.isSameFile(PROCESSES.resolve(Long.toString(number)).resolve("cwd"), data);
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
                .map(String::strip)
                .filter(number -> number.matches("\\d{1,18}"))
                .flatMap(number -> ProcessHandle.of(Long.parseLong(number)).stream())
                .filter(EmbeddedPostgresqlServer::isServer)
                .findFirst();
    }

    /** What has ended has no program, also where nobody has asked for its exit code yet. */
    private static boolean isServer(ProcessHandle process) {
        return process.info()
                .command()
                .map(command -> Path.of(command).getFileName().toString())
                .filter(name -> name.equals("postgres") || name.equals("postgres.exe"))
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
}
