package siemload.cli;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import siemload.config.Secrets;
import siemload.database.ServerAddress;
import siemload.run.Breakdown;
import siemload.run.RunGuard;

/**
 * {@code ./siemload} in this process, which is much faster than a {@link ChildProcess}. All commands have the same classes, which are not
 * those of the tests, so that only the first one loads and compiles them; what a command changes in them is undone before the next. Each has
 * an environment of its own; where it would end the process it ends itself. One at a time; not for signals.
 */
public final class Siemload {
    /** Gatling loads simulations by its own loader. */
    private static final List<String> OWN = List.of("siemload.", "io.gatling.");

    private static final String CHARTS = "META-INF/services/io.gatling.charts.component.ComponentLibrary";

    private static Optional<ClassesOfCommand> classes = Optional.empty();
    private static Optional<Printed> running = Optional.empty();
    private static boolean hasCharts;

    private Siemload() {}

    /** What a command prints, until it ends its process; what it does at its end prints again. */
    private static final class Printed extends ByteArrayOutputStream {
        private volatile OptionalInt exitCode = OptionalInt.empty();
        private volatile boolean hears = true;

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            if (hears) {
                super.write(bytes, offset, length);
            }
        }

        @Override
        public synchronized void write(int one) {
            if (hears) {
                super.write(one);
            }
        }

        private void exit(int code) {
            if (exitCode.isEmpty()) {
                exitCode = OptionalInt.of(code);
                hears = false;
            }
        }

        /** Hears again, also what its shutdown prints. */
        private void goOn() {
            exitCode = OptionalInt.empty();
            hears = true;
        }
    }

    /** What ends a command where it would end its process. */
    @SuppressWarnings("serial")
    private static final class Exit extends Error {}

    /** Takes the place of {@code System.exit}. */
    private static void exit(int code) {
        running.ifPresent(printed -> printed.exit(code));
        throw new Exit();
    }

    /** Runs a command; cache and results lie in the directory. */
    static ChildProcess.Ended run(Path directory, String... arguments) throws IOException {
        return run(directory, List.of(), arguments);
    }

    /** The same with more of the environment, each as {@code NAME=value}. */
    static ChildProcess.Ended run(Path directory, List<String> variables, String... arguments) throws IOException {
        return run(directory, ChildProcess.byName(variables), arguments);
    }

    /** The same beside a server that runs already. */
    public static ChildProcess.Ended run(Path directory, ServerAddress server, String... arguments) throws IOException {
        return run(directory, server, List.of(), List.of(arguments));
    }

    /** The same with more of the environment. */
    static ChildProcess.Ended run(Path directory, ServerAddress server, List<String> variables, List<String> arguments)
            throws IOException {
        Map<String, String> environment = new HashMap<>(ChildProcess.environment(server));
        environment.putAll(ChildProcess.byName(variables));
        return run(directory, environment, arguments.toArray(String[]::new));
    }

    /** A command with Gatling's own report, which all others do without, as an image does: it takes seconds. */
    static ChildProcess.Ended withGatlingsReport(Path directory, String... arguments) throws IOException {
        hasCharts = true;
        try {
            return run(directory, arguments);
        } finally {
            hasCharts = false;
        }
    }

    private static ChildProcess.Ended run(Path directory, Map<String, String> environment, String... arguments)
            throws IOException {
        if (classes.isEmpty()) {
            classes = Optional.of(new ClassesOfCommand());
        }
        try {
            return run(classes.orElseThrow(), directory, environment, arguments);
        } catch (ReflectiveOperationException changed) {
            throw unknown(changed);
        }
    }

    private static AssertionError unknown(ReflectiveOperationException changed) {
        return new AssertionError("Main, ProcessHost or Secrets is no longer as it is used here", changed);
    }

    private static ChildProcess.Ended run(
            ClassesOfCommand own, Path directory, Map<String, String> environment, String... arguments)
            throws ReflectiveOperationException {
        Map<String, String> whole = new HashMap<>(ChildProcess.environment(directory));
        whole.putAll(environment);
        PrintStream out = System.out;
        PrintStream err = System.err;
        Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Environment before = Environment.change(whole);
        try {
            Thread.currentThread().setContextClassLoader(own);
            System.setOut(own.stream);
            System.setErr(own.stream);
            System.setProperty("siemload.home", Path.of("").toAbsolutePath().toString());
            running = Optional.of(own.printed);
            int code = run(own, own.printed, arguments);
            return new ChildProcess.Ended(code, own.printed.toString(StandardCharsets.UTF_8));
        } finally {
            System.clearProperty("siemload.home");
            System.setOut(out);
            System.setErr(err);
            Thread.setDefaultUncaughtExceptionHandler(handler);
            Thread.currentThread().setContextClassLoader(loader);
            before.restore();
        }
    }

    private static int run(ClassesOfCommand own, Printed printed, String... arguments)
            throws ReflectiveOperationException {
        own.begin();
        Class<?> process = own.loadClass(ProcessHost.class.getName());
        field(process, "hooked").setBoolean(null, true);
        field(process, "exit").set(null, (IntConsumer) Siemload::exit);
        field(process, "halt").set(null, (IntConsumer) Siemload::exit);
        Constructor<?> breakdown = own.loadClass(Breakdown.class.getName()).getDeclaredConstructors()[0];
        breakdown.setAccessible(true);
        Object host = process.getDeclaredConstructor().newInstance();
        // Else each run would leave the two threads behind that watch for a breakdown, and its classes with them.
        Thread.setDefaultUncaughtExceptionHandler((Thread.UncaughtExceptionHandler) breakdown.newInstance(host));
        field(process, "launched").setBoolean(null, true);
        int code = call(
                own.loadClass(Main.class.getName()).getDeclaredMethod("run", String[].class), null, (Object) arguments);
        code = printed.exitCode.orElse(code);
        printed.goOn();
        field(process, "asked").setBoolean(null, true);
        call(process.getDeclaredMethod("shutDown"), null);
        return printed.exitCode.orElse(code);
    }

    private static int call(Method method, @Nullable Object target, Object... arguments)
            throws ReflectiveOperationException {
        method.setAccessible(true);
        try {
            return method.invoke(target, arguments) instanceof Integer code ? code : 0;
        } catch (InvocationTargetException ended) {
            if (ended.getCause() instanceof Exit) {
                return 0;
            }
            throw ended;
        }
    }

    private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /** Our own classes and those of Gatling; those of other libraries are the ones of the tests. */
    private static final class ClassesOfCommand extends URLClassLoader {
        private final Printed printed = new Printed();
        private final PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
        /** What commands change, as it was before the first one. */
        private final Map<Field, Object> atFirst = new HashMap<>();

        ClassesOfCommand() throws MalformedURLException {
            super(urls(), Siemload.class.getClassLoader());
        }

        private static URL[] urls() throws MalformedURLException {
            List<URL> urls = new ArrayList<>();
            for (String part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                Path place = Path.of(part);
                if (Files.isDirectory(place) || place.getFileName().toString().startsWith("gatling-")) {
                    urls.add(place.toUri().toURL());
                }
            }
            return urls.toArray(URL[]::new);
        }

        /** As if the process had just begun. */
        private void begin() throws ReflectiveOperationException {
            Class<?> host = loadClass(ProcessHost.class.getName());
            for (Class<?> changed : List.of(host, loadClass(RunGuard.class.getName()))) {
                for (Field field : changed.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers())) {
                        field.setAccessible(true);
                        Object value = field.get(null);
                        field.set(null, atFirst.computeIfAbsent(field, unused -> value));
                    }
                }
            }
            ((Collection<?>) field(host, "ACTIONS").get(null)).clear();
            ((Collection<?>) field(loadClass(Secrets.class.getName()), "KNOWN").get(null)).clear();
            Object terminal = field(host, "TERMINAL").get(null);
            field(terminal.getClass(), "printedDoing").set(terminal, "");
            printed.goOn();
            printed.reset();
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.equals(CHARTS) && !hasCharts ? Collections.emptyEnumeration() : super.getResources(name);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (OWN.stream().noneMatch(name::startsWith) || name.startsWith(Siemload.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }

    /** What {@link System#getenv} says, for a while: Java offers no way to change it, but keeps it in a map. */
    private record Environment(Map<Object, Object> variables, Map<Object, Object> before) {
        static Environment change(Map<String, String> more) throws ReflectiveOperationException {
            Class<?> type = Class.forName("java.lang.ProcessEnvironment");
            @SuppressWarnings("unchecked")
            Map<Object, Object> variables =
                    (Map<Object, Object>) field(type, "theEnvironment").get(null);
            Environment environment = new Environment(variables, new HashMap<>(variables));
            variables.keySet().removeIf(name -> name.toString().startsWith("SIEMLOAD_"));
            for (Map.Entry<String, String> variable : more.entrySet()) {
                variables.put(of("Variable", variable.getKey()), of("Value", variable.getValue()));
            }
            return environment;
        }

        private static Object of(String type, String text) throws ReflectiveOperationException {
            Method valueOf =
                    Class.forName("java.lang.ProcessEnvironment$" + type).getDeclaredMethod("valueOf", String.class);
            valueOf.setAccessible(true);
            return valueOf.invoke(null, text);
        }

        void restore() {
            variables.clear();
            variables.putAll(before);
        }
    }
}
