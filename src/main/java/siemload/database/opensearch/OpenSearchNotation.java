package siemload.database.opensearch;

import java.util.List;
import siemload.config.DatabaseNotation;
import siemload.config.UrlForm;
import siemload.config.UrlOptions;

/** The urls of OpenSearch's REST interface. Stateless and thread-safe. */
public final class OpenSearchNotation implements DatabaseNotation {
    private static final String HOST_AND_PORT = "(?:[\\w.-]+|\\[[0-9A-Fa-f:.]+])(?::\\d{1,5})?/?";
    private static final UrlOptions NONE = new UrlOptions("");

    @Override
    public String target() {
        return "opensearch";
    }

    @Override
    public List<UrlForm> urlForms() {
        return List.of(
                new UrlForm("https://", HOST_AND_PORT, NONE, "https://host:9200"),
                new UrlForm("http://", HOST_AND_PORT, NONE, "http://localhost:9200"));
    }
}
