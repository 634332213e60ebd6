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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import siemload.config.MetricsUrl;

/**
 * Another host, asked over HTTP by way of Prometheus' node exporter on it. Proxies are not asked, and redirects not followed. Used
 * by one thread at a time.
 */
final class NodeExporter implements OtherHost {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int OK = 200;

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
        url.credentials()
                .ifPresent(credentials -> asked.header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8))));
        this.request = asked.build();
    }

    @Override
    public String name() {
        return url.host();
    }

    @Override
    public HostReading read() throws IOException {
        HttpResponse<String> response = answer();
        if (response.statusCode() != OK) {
            throw new IOException("it answered with HTTP status " + response.statusCode());
        }
        try {
            return NodeMetrics.reading(PrometheusText.read(response.body()), System.nanoTime());
        } catch (IllegalArgumentException notUnderstood) {
            throw new IOException("what it answered is not understood: " + notUnderstood.getMessage(), notUnderstood);
        }
    }

    /** The time of a request ends with its headers; that of the whole answer is bounded here. */
    private HttpResponse<String> answer() throws IOException {
        CompletableFuture<HttpResponse<String>> answer = client.sendAsync(request, info -> new LimitedText());
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            boolean unused = answer.cancel(true);
            throw new IOException("no answer within " + PATIENCE.toSeconds() + " s", late);
        } catch (ExecutionException failed) {
            throw new IOException(words(failed), failed);
        } catch (InterruptedException hurried) {
            boolean unused = answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("nobody waited for the answer", hurried);
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
}
