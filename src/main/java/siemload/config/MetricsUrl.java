package siemload.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a host tells its metrics: {@code http://host:9100/metrics}, perhaps with user and password. Immutable.
 *
 * @param host with its port, where one is given: what results call it
 * @param address without user and password
 * @param credentials {@code user:password}, not encoded
 */
public record MetricsUrl(String host, String address, Optional<String> credentials) {
    static final ValueType<List<MetricsUrl>> TYPE =
            ValueType.of("URLs of node exporters, with commas between", List.of(), MetricsUrl::parseAll);

    private static final String EXAMPLE = "write for example http://host:9100/metrics";
    private static final String USUAL_PATH = "/metrics";

    /** Without the password. */
    @Override
    public String toString() {
        return address;
    }

    private static List<MetricsUrl> parseAll(String text) {
        List<MetricsUrl> urls = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            MetricsUrl url = parse(part.strip());
            if (urls.stream().anyMatch(other -> other.host().equals(url.host()))) {
                throw new IllegalArgumentException("names the host " + url.host() + " twice (leave one out)");
            }
            urls.add(url);
        }
        return List.copyOf(urls);
    }

    /** Messages do not repeat what was given, which may hold a password, but for the host. */
    private static MetricsUrl parse(String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException malformed) {
            throw new IllegalArgumentException("is no list of URLs: " + malformed.getReason() + " (" + EXAMPLE + ")");
        }
        boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
        if (!web || url.getHost() == null || url.getRawFragment() != null) {
            throw new IllegalArgumentException("is no list of http or https URLs with a host and without # (" + EXAMPLE
                    + ", several with commas between)");
        }
        String host = url.getPort() < 0 ? url.getHost() : url.getHost() + ":" + url.getPort();
        String path = url.getRawPath().length() <= 1 ? USUAL_PATH : url.getRawPath();
        String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
        Optional<String> credentials = Optional.ofNullable(url.getUserInfo());
        credentials.ifPresent(given -> Secrets.know(given.substring(given.indexOf(':') + 1)));
        return new MetricsUrl(host, url.getScheme() + "://" + host + path + query, credentials);
    }
}
