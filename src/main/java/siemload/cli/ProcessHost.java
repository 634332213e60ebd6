package siemload.cli;

import ch.qos.logback.core.PropertyDefinerBase;
import java.io.Console;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Secrets;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.results.RunFile;
import siemload.results.report.RunReports;
import siemload.run.ExitCode;
import siemload.run.RunDirectory;
import siemload.run.RunHost;
import siemload.run.RunHost.RunLauncher;

/**
 * The process of a run. All instances share the terminal, and the options of the launcher, which {@link #use} sets. Thread-safe.
 *
 * <p>Gatling ends the process itself after its report, always with its own exit code. At the very end, a shutdown hook therefore sets the
 * exit code that the run asked for, and prints the reason as the last line. Gatling's Maven plugin fails the build for every exit code
 * except 0, with "Gatling simulation assertions failed" for 2 and "ForkException" for all others. Only under the plugin, therefore, exit
 * code 2 is a missed objective and 1 is invalid input; no other program sees these codes.
 */
public final class ProcessHost implements RunHost {
    private static final int DEFAULT_WIDTH = 120;
    private static final Pattern ADVICE = Pattern.compile("(?<![\\w-])-D(\\w+)(=true\\b)?");
    private static final boolean BY_PLUGIN =
            System.getProperty("sun.java.command", "").startsWith("io.gatling.plugin.");

    /** Tests replace exit and halt, so that the end of a command does not end the test's process. */
    private static IntConsumer exit = System::exit;

    private static IntConsumer halt = Runtime.getRuntime()::halt;

    private static volatile Map<String, Setting> given = Map.of();
    private static volatile Map<String, String> variants = Map.of();
    private static volatile BiConsumer<String, Throwable> failures = (message, cause) -> {};
    private static final Terminal TERMINAL = terminal();
    /** The actions for the end of the process, in reverse order; also the lock of the fields below. */
    private static final List<Runnable> ACTIONS = new ArrayList<>();

    private static volatile ExitCode code = ExitCode.OK;
    private static volatile String why = "";
    private static volatile boolean ending;
    private static boolean hooked;
    private static volatile boolean launched;
    private static boolean asked;

    /** Sets a listener that also receives the reason why the process cannot continue. */
    static void tellFailures(BiConsumer<String, Throwable> hearer) {
        failures = hearer;
    }

    /** Adds one setting to those of the command line. */
    static void add(Setting setting) {
        Map<String, Setting> more = new LinkedHashMap<>(given);
        more.put(setting.name(), setting);
        given = more;
    }

    /** Sets the options of the launcher's command line, and those of variants by {@code url.NAME}; to be called before any run. */
    static void use(Map<String, Setting> settings, Map<String, String> ofVariants) {
        given = settings;
        variants = ofVariants;
    }

    @Override
    public Map<String, String> variantOptions() {
        return variants;
    }

    @Override
    public Settings settings() {
        Map<String, String> properties = new LinkedHashMap<>();
        System.getProperties().stringPropertyNames().forEach(name -> properties.put(name, System.getProperty(name)));
        return Settings.of(List.copyOf(given.values()), properties, System.getenv());
    }

    /** Makes all files that are created from now on readable only by the user. */
    void protectResults() {
        RunDirectory.protectNewFiles();
    }

    @Override
    public Path home() {
        return Path.of(System.getProperty("siemload.home", ""));
    }

    @Override
    public RunLauncher launcher() {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        java.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        return new RunLauncher(java, System.getProperty("java.class.path"), Main.class.getName(), System.getenv());
    }

    /** Replaces {@code -Dname} with {@code --name} in the messages of a command, unless its user wrote {@code -Dname}. */
    private static String inFormOfCaller(String text) {
        return ADVICE.matcher(text).replaceAll(found -> {
            String name = found.group(1);
            Setting own = given.get(name);
            boolean defined = own != null && own.origin() instanceof Origin.SystemProperty;
            return launched && !defined && Property.named(name).isPresent() ? "--" + name : found.group();
        });
    }

    @Override
    public void results(RunReports.Written reports) {
        reports.leftOut().forEach(reason -> TERMINAL.line("warning: left out of report.html: " + reason));
        String found =
                settings().value(Property.DETAILS) ? RunReports.text(reports.run()) : RunReports.summary(reports.run());
        TERMINAL.line("\n" + found.stripTrailing() + "\n");
        TERMINAL.line(RunReports.ending(reports.run()) + "report: " + RunFile.REPORT_PAGE.in(reports.directory()));
    }

    @Override
    public void line(String text) {
        TERMINAL.line(text);
    }

    @Override
    public void status(String text) {
        TERMINAL.status(text);
    }

    @Override
    public void failure(String message, Throwable cause) {
        if (ending) {
            return;
        }
        failures.accept(message, cause);
        StringWriter told = new StringWriter().append(message);
        if (verbose()) {
            cause.printStackTrace(new PrintWriter(told.append(System.lineSeparator())));
        }
        TERMINAL.error(told.toString());
    }

    @Override
    public void onShutdown(Runnable action) {
        synchronized (ACTIONS) {
            ACTIONS.add(action);
            hook();
        }
    }

    private static void hook() {
        if (!hooked && !ending) {
            hooked = true;
            Runtime.getRuntime().addShutdownHook(new Thread(ProcessHost::shutDown, "siemload-end"));
        }
    }

    @Override
    public void exit(ExitCode wanted) {
        exit(wanted.number());
    }

    private static void exit(int number) {
        synchronized (ACTIONS) {
            // A command that is interrupted by a signal fails, and then asks for its own exit code.
            asked |= !ending;
        }
        exit.accept(number(number));
    }

    /** Runs the launcher's command and ends the process with its code, or as interrupted if a signal comes first. */
    static void endWithCommand(IntSupplier command) {
        synchronized (ACTIONS) {
            launched = true;
            hook();
        }
        exit(command.getAsInt());
    }

    @Override
    public void halt(ExitCode wanted) {
        halt.accept(wanted.number());
    }

    @Override
    public void endWith(ExitCode wanted, String since) {
        synchronized (ACTIONS) {
            code = wanted;
            why = since;
            hook();
        }
    }

    /** Returns the exit code that the process would end with now. */
    static ExitCode ending() {
        return code;
    }

    private static void shutDown() {
        List<Runnable> last;
        synchronized (ACTIONS) {
            ending = true;
            last = new ArrayList<>(ACTIONS);
        }
        Collections.reverse(last);
        last.forEach(Runnable::run);
        synchronized (ACTIONS) {
            // After any signal the exit code is 130, instead of Java's 128 plus the signal's number, unless a command
            // or run has already asked for a code.
            code = launched && !asked && code == ExitCode.OK ? ExitCode.INTERRUPTED : code;
        }
        if (code != ExitCode.OK) {
            if (!why.isEmpty()) {
                TERMINAL.error((BY_PLUGIN
                                ? "siemload: the build fails because "
                                : "siemload: exit code " + code.number() + " because ")
                        + why);
            }
            System.out.flush();
            System.err.flush();
            halt.accept(number(code.number()));
        }
    }

    private static int number(int number) {
        return BY_PLUGIN && (number == 1 || number == 2) ? 3 - number : number;
    }

    /** Returns whether the user asked for details, even if the settings are wrong. */
    static boolean verbose() {
        try {
            return new ProcessHost().settings().value(Property.VERBOSE);
        } catch (ConfigException unreadable) {
            return Boolean.getBoolean(Property.VERBOSE.name());
        }
    }

    private static Terminal terminal() {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        boolean isDumb = System.getenv("CI") != null || "dumb".equals(System.getenv("TERM")) || !hasTerminal();
        String columns = String.valueOf(System.getenv("COLUMNS"));
        int width = columns.matches("\\d{1,6}") ? Integer.parseInt(columns) : DEFAULT_WIDTH;
        return new Terminal(out, err, isDumb ? 0 : width);
    }

    /** Returns whether there is a terminal: up to Java 21 only a terminal has a console; since Java 22 isTerminal decides. */
    @SuppressWarnings("SystemConsoleNull") // up to Java 21 it returns null without a terminal
    private static boolean hasTerminal() {
        Console console = System.console();
        try {
            return console != null
                    && (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException before22) {
            return true;
        } catch (ReflectiveOperationException unknown) {
            return false;
        }
    }

    /**
     * The log level of libraries that also throw exceptions: INFO if the user asked for details, otherwise OFF. {@code logback.xml} names
     * this class.
     */
    public static final class LogDetail extends PropertyDefinerBase {
        @Override
        public String getPropertyValue() {
            return verbose() ? "INFO" : "OFF";
        }
    }

    /**
     * The output for people: lines that stay, and one line at the bottom that changes. On a terminal the changing line is redrawn in place;
     * elsewhere it is printed at most every ten seconds, and whenever its first word changes, so that logs stay short. Secrets are masked.
     * Thread-safe.
     */
    static final class Terminal {
        private static final long SPARSE_NANOS = 10_000_000_000L;
        private static final String CLEAR_LINE = "\r\u001b[K";

        private final PrintStream out;
        private final PrintStream err;
        private final int width;
        private String status = "";
        private String printedDoing = "";
        private long printedNanos = System.nanoTime() - SPARSE_NANOS;

        /** @param width in columns; 0 for a file, a pipe, or a CI job */
        Terminal(PrintStream out, PrintStream err, int width) {
            this.out = out;
            this.err = err;
            this.width = width;
        }

        synchronized void line(String text) {
            clear();
            out.println(shown(text));
            draw();
        }

        synchronized void error(String text) {
            clear();
            out.flush();
            err.println(shown(text));
            err.flush();
            draw();
        }

        synchronized void status(String text) {
            if (width > 0) {
                clear();
                status = shown(text);
                draw();
                return;
            }
            long now = System.nanoTime();
            String doing = text.replaceFirst("[^\\p{L}].*", "");
            if (!text.isEmpty() && (!doing.equals(printedDoing) || now - printedNanos >= SPARSE_NANOS)) {
                printedNanos = now;
                printedDoing = doing;
                out.println(shown(text));
                out.flush();
            }
        }

        /** Replaces control characters, which results and texts of servers may contain, with question marks; line breaks and tabs stay. */
        private static String shown(String text) {
            return inFormOfCaller(Secrets.masked(text)).replaceAll("[\\p{Cntrl}\\x80-\\x9f&&[^\n\r\t]]|\r(?!\n)", "?");
        }

        private void clear() {
            if (!status.isEmpty()) {
                out.print(CLEAR_LINE);
            }
        }

        private void draw() {
            if (!status.isEmpty()) {
                out.print(status.length() < width ? status : status.substring(0, width - 1));
            }
            out.flush();
        }
    }
}
