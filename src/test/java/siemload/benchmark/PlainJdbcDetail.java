package siemload.benchmark;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import siemload.database.Partitions;
import siemload.database.postgresql.Layout;

/**
 * The least that a Java client can do: threads with a connection and a prepared statement each look up events by id in a
 * loop. Arguments: the URL, the number of threads, and the seconds of warm-up and of measuring; user and password come
 * from the environment. Says the CPU time of the process for each request in microseconds, the requests, and the seconds.
 */
final class PlainJdbcDetail {
    private static final int EVENT = 3;

    private final Properties properties = new Properties();
    private final String url;
    private final String sql = sql();
    private final LongAdder requests = new LongAdder();
    private volatile boolean over;

    private PlainJdbcDetail(String url) {
        this.url = url;
        properties.setProperty("user", System.getenv("SIEMLOAD_USER"));
        properties.setProperty("password", System.getenv("SIEMLOAD_PASSWORD"));
        properties.setProperty("prepareThreshold", "1");
        // As in siemload, so that the server has the same work.
        properties.setProperty("options", "-c plan_cache_mode=force_custom_plan");
    }

    public static void main(String[] arguments) throws Exception {
        new PlainJdbcDetail(arguments[0])
                .run(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
    }

    private void run(int threads, int warmupSeconds, int seconds) throws SQLException, InterruptedException {
        List<String> ids = ids();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> lookUp(ids), "lookups-" + i);
            thread.start();
            all.add(thread);
        }
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        TimeUnit.SECONDS.sleep(warmupSeconds);
        long cpu = system.getProcessCpuTime();
        long count = requests.sum();
        long start = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        cpu = system.getProcessCpuTime() - cpu;
        count = requests.sum() - count;
        double took = (System.nanoTime() - start) / 1e9;
        over = true;
        for (Thread thread : all) {
            thread.join();
        }
        System.out.printf(Locale.ROOT, "%.1f %d %.1f%n", cpu / 1e3 / count, count, took);
    }

    private void lookUp(List<String> ids) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try (Connection connection = DriverManager.getConnection(url, properties);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            while (!over) {
                statement.setString(1, ids.get(random.nextInt(ids.size())));
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        requireEvent(rows.getBytes(EVENT));
                    }
                }
                requests.increment();
            }
        } catch (SQLException failed) {
            failed.printStackTrace();
            System.exit(1);
        }
    }

    private static void requireEvent(byte[] event) {
        if (event.length == 0) {
            throw new IllegalStateException("an event without bytes");
        }
    }

    private List<String> ids() throws SQLException {
        List<String> ids = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url, properties);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM benchmark_id")) {
            while (rows.next()) {
                ids.add(rows.getString(1));
            }
        }
        return ids;
    }

    /** The statement of the search DETAIL. */
    private static String sql() {
        Layout layout = Layout.of("mentat", Partitions.NONE);
        Map<String, String> parts =
                Map.of("conditions", layout.part("condition-id", Map.of()), "json", layout.part("json", Map.of()));
        return layout.read("single", parts).sql();
    }
}
