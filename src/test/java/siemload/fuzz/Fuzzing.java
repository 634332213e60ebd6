package siemload.fuzz;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.ConfigException;

/** Gives one reader broken files, case after case, each of which has a seed of its own. Used by one thread. */
final class Fuzzing {
    private static final long FIRST_SEED = Long.getLong("fuzz.seed", 1);
    private static final long CASES = Long.getLong("fuzz.cases", 15);
    private static final long NANOS = TimeUnit.SECONDS.toNanos(Long.getLong("fuzz.seconds", 0));
    private static final int MOST_FAILURES = 20;
    /** A report takes one, and up to two beside other tests; what hangs takes more than any limit. */
    private static final double MOST_CPU_SECONDS = 5;

    private static final long MOST_MEMORY = 512L << 20;
    private static final int LONGEST_LINE = 3_000;
    private static final int HUNG_SECONDS = 60;

    private static final FileTime LONG_AGO = FileTime.fromMillis(0);

    private final FuzzedReader reader;
    private final Path directory;
    private final Map<Path, byte[]> whole = new TreeMap<>();
    private final List<List<Path>> byName;
    private long cases;
    private long refused;
    private double slowest;
    private long largest;
    private final List<String> failures = new ArrayList<>();

    Fuzzing(FuzzedReader reader, Path directory) throws IOException {
        this.reader = reader;
        this.directory = directory;
        reader.prepare(directory);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                whole.put(file, Files.readAllBytes(file));
            }
        }
        whole.keySet().removeIf(file -> file.endsWith("lock"));
        byName = List.copyOf(whole.keySet().stream()
                .collect(Collectors.groupingBy(
                        file -> String.valueOf(file.getFileName()), TreeMap::new, Collectors.toList()))
                .values());
    }

    private static <T> T any(List<T> choices, SplittableRandom random) {
        return choices.get(random.nextInt(choices.size()));
    }

    /**
     * What came of it.
     *
     * @param refused the cases in which the reader said what is wrong
     * @param slowest CPU seconds of a case
     * @param largest bytes that a case allocated, whether at once or not
     * @param failures the cases that ended in any other way
     */
    record Tally(long cases, long refused, double slowest, long largest, List<String> failures) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%d cases from seed %d on, %d refused, %d failures, at most %.2f s of CPU and %d MB allocated",
                    cases,
                    FIRST_SEED,
                    refused,
                    failures.size(),
                    slowest,
                    largest >> 20);
        }
    }

    /** What one case took. */
    private record Cost(Optional<Exception> refusal, double cpuSeconds, long bytes) {}

    Tally run() throws Exception {
        long start = System.nanoTime();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            while (goesOn(start) && failures.size() < MOST_FAILURES) {
                one(thread, FIRST_SEED + cases);
                cases++;
            }
        } finally {
            thread.shutdownNow();
        }
        return new Tally(cases, refused, slowest, largest, List.copyOf(failures));
    }

    private boolean goesOn(long start) {
        return NANOS > 0 ? System.nanoTime() - start < NANOS : cases < CASES;
    }

    private void one(ExecutorService thread, long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Path file = any(any(byName, random), random);
        String name = "seed " + seed + ", " + directory.relativize(file) + ": ";
        restore();
        Files.write(file, new Mutations(random).of(whole.getOrDefault(file, new byte[0])));
        try {
            Cost cost = thread.submit(this::read).get(HUNG_SECONDS, TimeUnit.SECONDS);
            cost.refusal().ifPresent(refusal -> check(name, file, refusal));
            slowest = Math.max(slowest, cost.cpuSeconds());
            largest = Math.max(largest, cost.bytes());
            if (cost.cpuSeconds() > MOST_CPU_SECONDS || cost.bytes() > MOST_MEMORY) {
                failures.add(name + cost.cpuSeconds() + " s of CPU, " + cost.bytes() + " bytes");
            }
        } catch (ExecutionException uncaught) {
            failures.add(name + uncaught.getCause() + " at " + place(uncaught.getCause()));
        } catch (TimeoutException hung) {
            throw new AssertionError(name + "has not ended after " + HUNG_SECONDS + " s", hung);
        }
    }

    private Cost read() throws Exception {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long cpu = threads.getCurrentThreadCpuTime();
        long bytes = threads.getCurrentThreadAllocatedBytes();
        Optional<Exception> refusal = Optional.empty();
        try {
            reader.read(directory);
        } catch (IOException | UncheckedIOException | ConfigException said) {
            refusal = Optional.of(said);
        }
        return new Cost(
                refusal,
                (threads.getCurrentThreadCpuTime() - cpu) / 1e9,
                threads.getCurrentThreadAllocatedBytes() - bytes);
    }

    /** Short lines that lead to the file. */
    private void check(String name, Path file, Exception refusal) {
        refused++;
        if (Boolean.getBoolean("fuzz.verbose")) {
            System.out.println(name + refusal.getMessage());
        }
        String message = String.valueOf(refusal.getMessage());
        boolean leads = message.contains(directory.toString()) || message.contains(String.valueOf(file.getFileName()));
        boolean fits = message.lines().allMatch(line -> line.length() <= LONGEST_LINE)
                && message.lines().count() <= reader.mostLines();
        if (!leads || !fits) {
            failures.add(name + "a poor message: " + message + " at " + place(refusal));
        }
    }

    private static String place(Throwable thrown) {
        Throwable first = thrown;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return first.getClass().getSimpleName() + " "
                + List.of(first.getStackTrace()).stream()
                        .limit(25)
                        .filter(line -> line.getClassName().startsWith("siemload"))
                        .limit(4)
                        .toList();
    }

    /** A reader may have changed or removed files, too. */
    private void restore() throws IOException {
        for (Map.Entry<Path, byte[]> file : whole.entrySet()) {
            if (!Files.exists(file.getKey())
                    || !Files.getLastModifiedTime(file.getKey()).equals(LONG_AGO)) {
                Files.createDirectories(file.getKey().getParent());
                Files.write(file.getKey(), file.getValue());
                Files.setLastModifiedTime(file.getKey(), LONG_AGO);
            }
        }
    }
}
