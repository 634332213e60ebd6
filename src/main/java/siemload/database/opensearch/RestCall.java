package siemload.database.opensearch;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/**
 * One request of the REST interface.
 *
 * @param path what comes after the host, with its parameters, encoded
 * @param body JSON, or lines of it; empty for none; nobody changes the array
 * @param timeout how long its answer is waited for
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record RestCall(String method, String path, byte[] body, Duration timeout) {
    private static final byte[] NOTHING = {};

    static RestCall get(String path, Duration timeout) {
        return new RestCall("GET", path, NOTHING, timeout);
    }

    static RestCall delete(String path, Duration timeout) {
        return new RestCall("DELETE", path, NOTHING, timeout);
    }

    static RestCall post(String path, Duration timeout) {
        return new RestCall("POST", path, NOTHING, timeout);
    }

    static RestCall post(String path, Map<String, ?> body, Duration timeout) {
        return new RestCall("POST", path, Json.bytes(body), timeout);
    }

    static RestCall delete(String path, Map<String, ?> body, Duration timeout) {
        return new RestCall("DELETE", path, Json.bytes(body), timeout);
    }

    static RestCall put(String path, Map<String, ?> body, Duration timeout) {
        return new RestCall("PUT", path, Json.bytes(body), timeout);
    }

    /** A text as a part of a path. */
    static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
