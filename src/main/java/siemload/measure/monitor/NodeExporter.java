package siemload.measure.monitor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.config.DaemonThread;
import siemload.config.MetricsUrl;

/**
 * Another host, asked over HTTP by way of Prometheus' node exporter on it, of version 1 and newer on Linux. Collectors that are turned
 * off leave their figures out; without the CPUs it is none. Proxies are not asked, and redirects not followed. Used by one thread at a
 * time.
 */
final class NodeExporter implements HostWatch.Host {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int OK = 200;
    private static final int MOST_BYTES = 16 << 20;
    /** Pages of the swap space are counted in those of the kernel, whose size no metric tells: this is the usual one. */
    private static final long BYTES_OF_PAGE = 4096;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(PATIENCE)
            .build();

    private final MetricsUrl url;
    private final HttpRequest request;

    NodeExporter(MetricsUrl url) {
        this.url = url;
        HttpRequest.Builder asked = HttpRequest.newBuilder(URI.create(url.address()))
                .header("Accept", "text/plain;version=0.0.4")
                .timeout(PATIENCE);
        url.credentials().ifPresent(credentials -> {
            byte[] bytes = credentials.getBytes(StandardCharsets.UTF_8);
            asked.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes));
        });
        this.request = asked.build();
    }

    @Override
    public String name() {
        return url.host();
    }

    @Override
    public HostWatch.Reading read() throws IOException {
        String answer = answer();
        try {
            return reading(samples(answer), System.nanoTime());
        } catch (IllegalArgumentException notUnderstood) {
            throw new IOException("what it answered is not understood: " + notUnderstood.getMessage(), notUnderstood);
        }
    }

    /** The time of a request ends with its headers; that of the whole answer is bounded here. */
    private String answer() throws IOException {
        CompletableFuture<HttpResponse<InputStream>> response =
                client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream());
        CompletableFuture<String> answer = response.thenApplyAsync(
                NodeExporter::text, reading -> DaemonThread.start("siemload-other-host-answer", reading));
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            giveUp(response);
            throw new IOException("no answer within " + PATIENCE.toSeconds() + " s", late);
        } catch (ExecutionException failed) {
            throw new IOException(words(failed), failed);
        } catch (InterruptedException hurried) {
            giveUp(response);
            Thread.currentThread().interrupt();
            throw new IOException("nobody waited for the answer", hurried);
        }
    }

    private static void giveUp(CompletableFuture<HttpResponse<InputStream>> response) {
        boolean unused = response.cancel(true);
        var unusedEnd = response.thenAccept(answer -> {
            try {
                answer.body().close();
            } catch (IOException gone) {
                // which is what was wanted
            }
        });
    }

    private static String text(HttpResponse<InputStream> response) {
        try (InputStream body = response.body()) {
            if (response.statusCode() != OK) {
                throw new IOException("it answered with HTTP status " + response.statusCode());
            }
            byte[] bytes = body.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException("the answer is longer than " + (MOST_BYTES >> 20) + " MiB");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable.getMessage(), unreadable);
        }
    }

    /** Those of the client's exceptions that have no message have a telling name. */
    private static String words(ExecutionException failed) {
        Throwable cause = failed.getCause() == null ? failed : failed.getCause();
        String message = cause.getMessage();
        return cause instanceof ConnectException
                ? "no connection"
                : message == null ? cause.getClass().getSimpleName() : message;
    }

    /**
     * A look at the host that has these metrics.
     *
     * @param nanos when, on the monotonic clock
     * @throws IllegalArgumentException if they are not those of a node exporter
     */
    static HostWatch.Reading reading(List<Sample> samples, long nanos) {
        Map<String, Long> counts = new LinkedHashMap<>();
        Map<String, Double> plain = new HashMap<>();
        for (Sample sample : samples) {
            if (sample.labels().isEmpty() && Double.isFinite(sample.value())) {
                plain.merge(sample.name(), sample.value(), Double::sum);
            }
            count(sample, counts);
        }
        if (!counts.containsKey("all/total")) {
            throw new IllegalArgumentException(
                    "there is no metric node_cpu_seconds_total, so that these are not the metrics of a node exporter on Linux");
        }
        counts.put("swapInBytes", whole(value(plain, "node_vmstat_pswpin")) * BYTES_OF_PAGE);
        counts.put("swapOutBytes", whole(value(plain, "node_vmstat_pswpout")) * BYTES_OF_PAGE);
        Map<String, Double> levels = new HashMap<>();
        levels.put("load1", value(plain, "node_load1"));
        levels.put("load5", value(plain, "node_load5"));
        levels.put("load15", value(plain, "node_load15"));
        double used = value(plain, "node_memory_MemTotal_bytes") - value(plain, "node_memory_MemAvailable_bytes");
        levels.put("memoryUsedBytes", Math.max(0, used));
        levels.put(
                "pageCacheBytes", value(plain, "node_memory_Buffers_bytes") + value(plain, "node_memory_Cached_bytes"));
        return new HostWatch.Reading(new HostCounts(nanos, counts), levels);
    }

    private static double value(Map<String, Double> plain, String name) {
        return plain.getOrDefault(name, 0.0);
    }

    private static void count(Sample sample, Map<String, Long> counts) {
        switch (sample.name()) {
            case "node_cpu_seconds_total" -> countCpu(sample, counts);
            case "node_network_receive_bytes_total" -> countNetwork(sample, "networkReceivedBytes", counts);
            case "node_network_transmit_bytes_total" -> countNetwork(sample, "networkSentBytes", counts);
            case "node_disk_reads_completed_total" -> countDisk(sample, "reads", 1, counts);
            case "node_disk_read_bytes_total" -> countDisk(sample, "readBytes", 1, counts);
            case "node_disk_writes_completed_total" -> countDisk(sample, "writes", 1, counts);
            case "node_disk_written_bytes_total" -> countDisk(sample, "writtenBytes", 1, counts);
            case "node_disk_io_time_seconds_total" -> countDisk(sample, "busyMillis", MILLIS_PER_SECOND, counts);
            default -> {
                // A metric of something else.
            }
        }
    }

    private static void countCpu(Sample sample, Map<String, Long> counts) {
        long spent = whole(sample.value() * NANOS_PER_SECOND);
        String what = switch (sample.label("mode")) {
            case "user", "nice" -> "user";
            case "system", "irq", "softirq" -> "system";
            case "iowait" -> "iowait";
            case "steal" -> "steal";
            default -> "";
        };
        for (String cpu : List.of(HostCounts.ALL, HostCounts.CPU + cell(sample.label("cpu")) + "/")) {
            counts.merge(cpu + "total", spent, Long::sum);
            if (!what.isEmpty()) {
                counts.merge(cpu + what, spent, Long::sum);
            }
        }
    }

    private static void countNetwork(Sample sample, String name, Map<String, Long> counts) {
        if (OwnHost.isNetwork(sample.label("device"))) {
            counts.merge(name, whole(sample.value()), Long::sum);
        }
    }

    private static void countDisk(Sample sample, String figure, double factor, Map<String, Long> counts) {
        String device = cell(sample.label("device"));
        if (!device.isEmpty() && OwnHost.isDisk(device)) {
            counts.merge(HostCounts.DISK + device + "/" + figure, whole(sample.value() * factor), Long::sum);
        }
    }

    /** What is no number, or below 0, is none that a host counts. */
    private static long whole(double value) {
        return Double.isFinite(value) && value > 0 ? Math.round(value) : 0;
    }

    /** As it may stand in a table. */
    private static String cell(String label) {
        return label.replaceAll("[,\"\\p{Cntrl}]", " ").strip();
    }

    /** One sample of a metric; its time is not told. */
    record Sample(String name, Map<String, String> labels, double value) {
        private static final Pattern FORM = Pattern.compile(
                "\\s*+([a-zA-Z_:][a-zA-Z0-9_:]*+)\\s*+(?:\\{(.*)\\}\\s*+)?"
                        + "(NaN|[+-]?(?:Inf|\\d++\\.?\\d*+(?:[eE][+-]?\\d++)?|\\.\\d++(?:[eE][+-]?\\d++)?))(?:\\s++-?\\d++)?\\s*+");
        private static final Pattern LABEL = Pattern.compile(
                "\\s*+([a-zA-Z_][a-zA-Z0-9_]*+)\\s*+=\\s*+\"([^\"\\\\]*+(?:\\\\[\\\\\"n][^\"\\\\]*+)*+)\"\\s*+(?:,\\s*+|$)");
        private static final int SHOWN_CHARACTERS = 60;

        Sample {
            labels = Map.copyOf(labels);
        }

        /** The value of a label; empty where it has none, which means the same. */
        String label(String label) {
            return labels.getOrDefault(label, "");
        }

        private static Sample of(String line, int number) {
            Matcher sample = FORM.matcher(line);
            if (!sample.matches()) {
                throw wrong(line, number);
            }
            Map<String, String> labels = new HashMap<>();
            String written = sample.group(2) == null ? "" : sample.group(2).strip();
            Matcher label = LABEL.matcher(written);
            int at = 0;
            for (; at < written.length() && label.region(at, written.length()).lookingAt(); at = label.end()) {
                if (labels.put(label.group(1), unescaped(label.group(2))) != null) {
                    throw wrong(line, number);
                }
            }
            if (at < written.length()) {
                throw wrong(line, number);
            }
            String value = sample.group(3).replace("Inf", "Infinity");
            return new Sample(sample.group(1), labels, Double.parseDouble(value));
        }

        /** Backslashes stand before backslashes, quotes and the n of a line feed. */
        private static String unescaped(String text) {
            StringBuilder plain = new StringBuilder();
            for (int i = 0; i < text.length(); i++) {
                char character = text.charAt(i);
                if (character == '\\') {
                    i++;
                    character = text.charAt(i) == 'n' ? '\n' : text.charAt(i);
                }
                plain.append(character);
            }
            return plain.toString();
        }

        private static IllegalArgumentException wrong(String line, int number) {
            String shown =
                    line.substring(0, Math.min(line.length(), SHOWN_CHARACTERS)).replaceAll("\\p{Cntrl}", " ");
            return new IllegalArgumentException(
                    "line " + number + ": '" + shown + "' is no sample of Prometheus' text format");
        }
    }

    /**
     * Reads all samples of the text format 0.0.4 by which programs tell Prometheus their metrics, in their order.
     *
     * @throws IllegalArgumentException if a line is none of the format
     */
    static List<Sample> samples(String text) {
        List<Sample> samples = new ArrayList<>();
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            if (!line.isEmpty() && line.charAt(0) != '#') {
                samples.add(Sample.of(line, i + 1));
            }
        }
        return samples;
    }
}
