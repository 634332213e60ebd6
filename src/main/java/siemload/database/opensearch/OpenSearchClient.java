package siemload.database.opensearch;

import static siemload.database.opensearch.OpenSearchClient.OpenSearchErrors.ERRORS;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import siemload.config.RegularFile;
import siemload.database.ServerAddress;
import siemload.database.Target.Transport;
import siemload.database.server.ServerErrors;
import siemload.event.JsonFault;

/**
 * Sends requests to one server. Connections stay open between requests; there are as many as requests in progress at once. Failed requests
 * are not sent again. Thread-safe.
 *
 * @param login the header that identifies the user; empty for none
 * @param timeout how long to wait for an answer
 */
record OpenSearchClient(HttpClient http, URI base, Optional<String> login, Duration timeout) {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int FIRST_ERROR = 400;
    private static final int LONGEST_MESSAGE = 500;

    static final byte[] NOTHING = {};

    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    static {
        // A whole event is one JSON string here, whatever its length.
        MAPPER.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(Integer.MAX_VALUE)
                        .build());
    }

    /** Creates a client, without connecting yet. */
    static OpenSearchClient of(ServerAddress address, Duration timeout) {
        byte[] login = (address.user() + ":" + address.password()).getBytes(StandardCharsets.UTF_8);
        return new OpenSearchClient(
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT)
                        .build(),
                URI.create(address.url().replaceFirst("/$", "")),
                Optional.of("Basic " + Base64.getEncoder().encodeToString(login))
                        .filter(unused -> !address.user().isEmpty()),
                timeout);
    }

    OpenSearchClient with(Duration other) {
        return new OpenSearchClient(http, base, login, other);
    }

    String where() {
        return base.getRawAuthority();
    }

    /** The address without the login. */
    @Override
    public String toString() {
        return where();
    }

    /** Sends a request and waits for the answer. @throws OpenSearchException if there is no answer, or the answer is an error */
    JsonNode ask(String method, String path) {
        return received(started(method, path, NOTHING));
    }

    JsonNode ask(String method, String path, Map<String, ?> body) {
        return received(started(method, path, bytes(body)));
    }

    /** Returns the answer to a request, if the resource of its path exists. @throws OpenSearchException as {@link #ask} */
    static Optional<JsonNode> ifThere(Supplier<JsonNode> asked) {
        return ERRORS.unless(
                e -> e.status == HttpURLConnection.HTTP_NOT_FOUND,
                () -> Optional.of(asked.get()),
                absent -> Optional.empty());
    }

    /**
     * Sends a request. Cancelling the result closes the connection, which tells the server that nobody waits any more.
     *
     * @param path the part after the host, with its parameters, encoded
     * @param body JSON, or lines of it; empty for none; nobody changes the array
     */
    CompletableFuture<HttpResponse<byte[]>> started(String method, String path, byte[] body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(timeout);
        login.ifPresent(header -> request.header("Authorization", header));
        if (body.length > 0) {
            request.header("Content-Type", "application/json");
        }
        request.method(method, body.length > 0 ? BodyPublishers.ofByteArray(body) : BodyPublishers.noBody());
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * Waits for an answer.
     *
     * @throws OpenSearchException if there is no answer, or the answer is an error
     * @throws java.util.concurrent.CancellationException if the request was cancelled
     */
    JsonNode received(CompletableFuture<HttpResponse<byte[]>> asked) {
        try {
            HttpResponse<byte[]> response = asked.get();
            if (response.statusCode() >= FIRST_ERROR) {
                throw error(response.statusCode(), response.body());
            }
            return response.body().length == 0 ? MissingNode.getInstance() : read(response.body());
        } catch (InterruptedException e) {
            asked.cancel(true);
            Thread.currentThread().interrupt();
            throw noAnswer("siemload was interrupted before the answer came", e);
        } catch (ExecutionException | IOException e) {
            Throwable cause = e instanceof IOException || e.getCause() == null ? e : e.getCause();
            // Many exceptions of Java's HTTP client have no message of their own.
            boolean unknown = cause.getCause() instanceof UnresolvedAddressException;
            String name = unknown
                    ? "the host name cannot be resolved"
                    : cause.getClass().getSimpleName();
            String words = Objects.requireNonNullElse(cause.getMessage(), name);
            throw noAnswer(
                    cause instanceof HttpTimeoutException
                            ? "no answer came in time"
                            : cause instanceof ConnectException
                                    ? "cannot connect to " + where() + " (" + words + ")"
                                    : words,
                    cause);
        }
    }

    private static OpenSearchException noAnswer(String message, Throwable cause) {
        OpenSearchException none = new OpenSearchException(0, "", message);
        none.initCause(cause);
        return none;
    }

    /** Errors of the server are JSON; errors of plugins and proxies may be any text. */
    private static OpenSearchException error(int status, byte[] body) {
        JsonNode error = MissingNode.getInstance();
        try {
            error = read(body).path("error");
        } catch (IOException text) {
            // An answer that is not JSON is shown as it is.
        }
        JsonNode cause = error.path("root_cause").path(0);
        String type = cause.path("type").asText(error.path("type").asText(""));
        String reason = cause.path("reason").asText(error.path("reason").asText(""));
        if (reason.isEmpty()) {
            String text = error.isTextual() ? error.asText() : new String(body, StandardCharsets.UTF_8).strip();
            reason = "HTTP " + status + (text.isEmpty() ? "" : ": " + text);
        }
        return new OpenSearchException(
                status,
                type,
                reason.length() > LONGEST_MESSAGE ? reason.substring(0, LONGEST_MESSAGE) + "..." : reason);
    }

    /** The security of the connection: with https the client accepts only servers whose certificate is for their name. */
    Transport transport() {
        return "https".equalsIgnoreCase(base.getScheme())
                ? new Transport(Transport.Security.HOST_NAME)
                : Transport.PLAIN;
    }

    static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalArgumentException("cannot be written as JSON: " + value.getClass(), impossible);
        }
    }

    /** @throws IOException if the text is not JSON */
    static JsonNode read(byte[] text) throws IOException {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException broken) {
            throw new IOException("the answer is not JSON: " + JsonFault.words(broken), broken);
        }
    }

    /** The server refused a request, or could not be reached. */
    static final class OpenSearchException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** The HTTP status; 0 if no answer came. */
        final int status;
        /** The server's name for the error, such as {@code index_not_found_exception}; may be empty. */
        final String type;

        OpenSearchException(int status, String type, String message) {
            super(message);
            this.status = status;
            this.type = type;
        }

        /** Creates the exception for an incomplete answer. */
        static OpenSearchException incomplete(String message) {
            return new OpenSearchException(HttpURLConnection.HTTP_OK, "incomplete", message);
        }
    }

    /** The meaning of the server's errors for a run. */
    static final class OpenSearchErrors extends ServerErrors<OpenSearchException> {
        /** The server's error code for a cancelled search. */
        static final String CANCELLED_CODE = "task_cancelled_exception";

        static final OpenSearchErrors ERRORS = new OpenSearchErrors();

        private OpenSearchErrors() {
            super(OpenSearchException.class, RegularFile.resource(OpenSearchErrors.class, "errors.txt"));
        }

        /** The HTTP status (0 if no answer came) and the server's name for the error. */
        @Override
        protected String known(OpenSearchException e) {
            return e.status + " " + e.type;
        }

        /** An error without an answer may also be a timeout: the client's own deadline can end a request. */
        @Override
        protected boolean mayBeTimeout(OpenSearchException e) {
            return e.status == 0 || super.mayBeTimeout(e);
        }

        @Override
        protected String code(OpenSearchException e) {
            return e.type.isEmpty() && e.status > 0 ? "HTTP " + e.status : e.type;
        }

        @Override
        protected String message(OpenSearchException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
