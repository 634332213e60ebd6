package siemload.measure.monitor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Another host, asked over HTTP by way of Prometheus' node exporter on it, of version 1 and newer on Linux. Collectors that are turned
 * off leave their figures out; without the CPUs it is none. Proxies are not asked, and redirects not followed. Used by one thread at a
 * time.
 */
final class NodeExporter {
    private static final int PATIENCE_SECONDS = 2;
    /** Pages of the swap space are counted in those of the kernel, whose size no metric tells: this is the usual one. */
    private static final double BYTES_OF_PAGE = 4096;

    /** A line of the text format 0.0.4: a name, the mode or the device of its labels, and a value that is a number of 0 or more. */
    private static final Pattern SAMPLE =
            Pattern.compile("(?m)^node_(\\w++)(?:\\{(?:.*\\b)?(?:mode|device)=\"([^\",\\p{Cntrl}]*)\".*})?"
                    + "[ \\t]++(\\d++(?:\\.\\d++)?(?:e[-+]?\\d++)?)(?=\\s|$)");

    private static final Map<String, String> MODES = Map.of("nice", "user", "irq", "system", "softirq", "system");

    /** What is counted of disks and networks. */
    private static final Map<String, String> OF_DEVICES = Map.of(
            "disk_reads_completed_total", "reads",
            "disk_read_bytes_total", "readBytes",
            "disk_writes_completed_total", "writes",
            "disk_written_bytes_total", "writtenBytes",
            "disk_io_time_seconds_total", "busyMillis",
            "network_receive_bytes_total", "networkReceivedBytes",
            "network_transmit_bytes_total", "networkSentBytes");

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .build();

    private final String name;
    private final HttpRequest request;

    /** @param url perhaps with user and password, which no result has */
    NodeExporter(URI url) {
        this.name = url.getRawAuthority().replaceFirst("^.*@", "");
        HttpRequest.Builder asked =
                HttpRequest.newBuilder(URI.create(url.toString().replaceFirst("^(\\w+://)[^/?@]*@", "$1")));
        Optional.ofNullable(url.getUserInfo())
                .map(credentials -> Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)))
                .ifPresent(encoded -> asked.header("Authorization", "Basic " + encoded));
        this.request = asked.header("Accept", "text/plain;version=0.0.4").build();
    }

    /** What results call it: host and port. */
    String name() {
        return name;
    }

    /**
     * Looks at it; takes two seconds at most.
     *
     * @throws UncheckedIOException if it does not answer, or not understandably; the message says which for people
     */
    HostCounts read() {
        CompletableFuture<HttpResponse<String>> asked = client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        try {
            HttpResponse<String> answer =
                    asked.copy().orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
            if (answer.statusCode() != 200) {
                throw unanswered("it answered with HTTP status " + answer.statusCode());
            }
            return look(answer.body(), System.nanoTime());
        } catch (CompletionException failed) {
            Throwable cause = failed.getCause();
            throw unanswered(
                    cause instanceof TimeoutException
                            ? "no answer within " + PATIENCE_SECONDS + " s"
                            : cause instanceof ConnectException ? "no connection" : String.valueOf(cause));
        } finally {
            boolean unused = asked.cancel(true);
        }
    }

    private static UncheckedIOException unanswered(String why) {
        return new UncheckedIOException(why, new IOException(why));
    }

    private static HostCounts look(String metrics, long nanos) {
        Map<String, Long> counts = new LinkedHashMap<>();
        Map<String, Double> levels = new HashMap<>();
        for (Matcher sample = SAMPLE.matcher(metrics); sample.find(); ) {
            String of = Objects.requireNonNullElse(sample.group(2), "");
            double value = Double.parseDouble(sample.group(3));
            switch (sample.group(1)) {
                case "cpu_seconds_total" -> {
                    counts.merge("all/total", Math.round(value * 1e9), Long::sum);
                    counts.merge("all/" + MODES.getOrDefault(of, of), Math.round(value * 1e9), Long::sum);
                    levels.merge("cpus", of.equals("idle") ? 1.0 : 0.0, Double::sum);
                }
                case "memory_MemTotal_bytes" -> levels.merge("memoryUsedBytes", value, Double::sum);
                case "memory_MemAvailable_bytes" -> levels.merge("memoryUsedBytes", -value, Double::sum);
                case "memory_Buffers_bytes", "memory_Cached_bytes" ->
                    levels.merge("pageCacheBytes", value, Double::sum);
                case "load1" -> levels.put("load1", value);
                case "vmstat_pswpin" -> counts.put("swapInBytes", Math.round(value * BYTES_OF_PAGE));
                case "vmstat_pswpout" -> counts.put("swapOutBytes", Math.round(value * BYTES_OF_PAGE));
                default -> {
                    String count = OF_DEVICES.getOrDefault(sample.group(1), "");
                    if (count.startsWith("network") && OwnHost.isNetwork(of)) {
                        counts.merge(count, Math.round(value), Long::sum);
                    } else if (!count.isEmpty() && !count.startsWith("network") && OwnHost.isDisk(of)) {
                        boolean isTime = count.equals("busyMillis");
                        counts.put(HostCounts.DISK + of + "/" + count, Math.round(isTime ? value * 1e3 : value));
                    }
                }
            }
        }
        if (!counts.containsKey("all/total")) {
            throw unanswered("it tells no node_cpu_seconds_total, so that it is no node exporter on Linux");
        }
        return new HostCounts(nanos, counts, levels);
    }
}
