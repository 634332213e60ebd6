package siemload.measure.monitor;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.measure.monitor.OwnHost.Look;

/**
 * Another host, asked over HTTP by way of Prometheus' node exporter on it, of version 1 and newer on Linux. Collectors that are turned
 * off leave their figures out; without the CPUs it is none. Proxies are not asked, and redirects not followed. Used by one thread at a
 * time.
 */
final class NodeExporter implements HostWatch.Host {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final String CPU_TIME = "node_cpu_seconds_total";
    private static final int SHOWN_CHARACTERS = 60;
    /** Pages of the swap space are counted in those of the kernel, whose size no metric tells: this is the usual one. */
    private static final long BYTES_OF_PAGE = 4096;

    /** A line of the text format 0.0.4: a name, labels, a value, and perhaps a time, which is not read. */
    private static final Pattern SAMPLE =
            Pattern.compile("(node_\\w++)(\\{.*}|)\\s++([-+.\\w]++)(?:\\s++-?\\d++)?\\s*+");

    private static final Pattern LABEL = Pattern.compile("(\\w++)=\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"");

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(PATIENCE)
            .build();

    private final String name;
    private final HttpRequest request;
    private int cpus;

    /** @param url perhaps with user and password, which no result has */
    NodeExporter(URI url) {
        this.name = url.getRawAuthority().replaceFirst("^.*@", "");
        HttpRequest.Builder asked =
                HttpRequest.newBuilder(URI.create(url.toString().replaceFirst("^(\\w+://)[^/?@]*@", "$1")));
        Optional.ofNullable(url.getUserInfo())
                .map(credentials -> credentials.getBytes(StandardCharsets.UTF_8))
                .ifPresent(bytes ->
                        asked.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes)));
        this.request = asked.header("Accept", "text/plain;version=0.0.4").build();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int cpus() {
        return cpus;
    }

    @Override
    public Look read() throws IOException {
        CompletableFuture<HttpResponse<String>> asked =
                client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        try {
            HttpResponse<String> answer = asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.statusCode() != 200) {
                throw new IOException("it answered with HTTP status " + answer.statusCode());
            }
            return look(answer.body(), System.nanoTime());
        } catch (TimeoutException late) {
            throw new IOException("no answer within " + PATIENCE.toSeconds() + " s", late);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            throw new IOException(cause instanceof ConnectException ? "no connection" : cause.toString(), failed);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw new IOException("nobody waited for the answer", hurried);
        } finally {
            boolean unused = asked.cancel(true);
        }
    }

    private Look look(String metrics, long nanos) throws IOException {
        Map<String, Long> counts = new LinkedHashMap<>();
        Map<String, Double> plain = new HashMap<>();
        Set<String> numbers = new HashSet<>();
        for (String line : metrics.split("\n")) {
            if (line.startsWith("node_")) {
                try {
                    Matcher sample = SAMPLE.matcher(line);
                    if (!sample.matches()) {
                        throw new NumberFormatException("no sample of Prometheus' text format");
                    }
                    Map<String, String> labels = new HashMap<>();
                    LABEL.matcher(sample.group(2)).results().forEach(label -> labels.put(label.group(1), label.group(2)));
                    double value = Double.parseDouble(sample.group(3).replace("Inf", "Infinity"));
                    plain.put(sample.group(1), value);
                    count(sample.group(1), labels, value, counts);
                    if (sample.group(1).equals(CPU_TIME)) {
                        numbers.add(labels.getOrDefault("cpu", ""));
                    }
                } catch (NumberFormatException none) {
                    String shown = line.substring(0, Math.min(line.length(), SHOWN_CHARACTERS));
                    throw new IOException("what it answered is not understood: '" + shown + "'", none);
                }
            }
        }
        if (!counts.containsKey(HostCounts.ALL + "total")) {
            throw new IOException("it tells no " + CPU_TIME + ", so that it is no node exporter on Linux");
        }
        cpus = numbers.size();
        ToDoubleFunction<String> level = metric -> plain.getOrDefault(metric, 0.0);
        counts.put("swapInBytes", whole(level.applyAsDouble("node_vmstat_pswpin")) * BYTES_OF_PAGE);
        counts.put("swapOutBytes", whole(level.applyAsDouble("node_vmstat_pswpout")) * BYTES_OF_PAGE);
        Map<String, Double> levels = Map.of(
                "load1",
                level.applyAsDouble("node_load1"),
                "memoryUsedBytes",
                Math.max(0, level.applyAsDouble("node_memory_MemTotal_bytes") - level.applyAsDouble("node_memory_MemAvailable_bytes")),
                "pageCacheBytes",
                level.applyAsDouble("node_memory_Buffers_bytes") + level.applyAsDouble("node_memory_Cached_bytes"));
        return new Look(new HostCounts(nanos, counts), levels);
    }

    private static void count(String metric, Map<String, String> labels, double value, Map<String, Long> counts) {
        switch (metric) {
            case CPU_TIME -> {
                long spent = whole(value * 1e9);
                counts.merge(HostCounts.ALL + "total", spent, Long::sum);
                switch (labels.getOrDefault("mode", "")) {
                    case "user", "nice" -> counts.merge(HostCounts.ALL + "user", spent, Long::sum);
                    case "system", "irq", "softirq" -> counts.merge(HostCounts.ALL + "system", spent, Long::sum);
                    case "iowait" -> counts.merge(HostCounts.ALL + "iowait", spent, Long::sum);
                    case "steal" -> counts.merge(HostCounts.ALL + "steal", spent, Long::sum);
                    default -> {
                        // idle
                    }
                }
            }
            case "node_network_receive_bytes_total" -> countNetwork("networkReceivedBytes", labels, value, counts);
            case "node_network_transmit_bytes_total" -> countNetwork("networkSentBytes", labels, value, counts);
            case "node_disk_reads_completed_total" -> countDisk("reads", labels, value, counts);
            case "node_disk_read_bytes_total" -> countDisk("readBytes", labels, value, counts);
            case "node_disk_writes_completed_total" -> countDisk("writes", labels, value, counts);
            case "node_disk_written_bytes_total" -> countDisk("writtenBytes", labels, value, counts);
            case "node_disk_io_time_seconds_total" -> countDisk("busyMillis", labels, value * 1e3, counts);
            default -> {
                // A metric of something else.
            }
        }
    }

    private static void countNetwork(String name, Map<String, String> labels, double value, Map<String, Long> counts) {
        if (OwnHost.isNetwork(labels.getOrDefault("device", ""))) {
            counts.merge(name, whole(value), Long::sum);
        }
    }

    private static void countDisk(String figure, Map<String, String> labels, double value, Map<String, Long> counts) {
        // As it may stand in a table.
        String device = labels.getOrDefault("device", "").replaceAll("[^\\w.!-]", "_");
        if (OwnHost.isDisk(device)) {
            counts.put(HostCounts.DISK + device + "/" + figure, whole(value));
        }
    }

    /** What is no number, or below 0, is none that a host counts. */
    private static long whole(double value) {
        return Double.isFinite(value) && value > 0 ? Math.round(value) : 0;
    }
}
