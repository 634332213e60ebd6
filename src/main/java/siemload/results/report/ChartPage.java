package siemload.results.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import siemload.config.Sha256;

/**
 * A page with charts that holds all it needs: style, chart library, scripts and data stand in it, so that it opens offline and
 * asks no host for anything. Its content security policy lets its own scripts and styles run, by their hashes, and nothing
 * else. Used by one thread.
 */
public final class ChartPage {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RESOURCES = "/siemload/results/report/";
    private static final String WEBJAR = "/META-INF/maven/org.webjars/echarts/pom.properties";
    private static final Pattern SLOT = Pattern.compile("\\{\\{([a-z-]+)}}");

    private final String title;
    private final List<String> styles = new ArrayList<>();
    private final List<String> scripts = new ArrayList<>();
    private String data = "";
    private String connections = "";

    /** A page with the looks and the charts that all such pages share. */
    public ChartPage(String title) throws IOException {
        this.title = title;
        styles.add(text(RESOURCES + "report.css"));
        scripts.add(library());
        scripts.add(text(RESOURCES + "charts.js"));
    }

    /** Adds a style sheet of the class path. */
    public ChartPage style(String path) throws IOException {
        styles.add(text(path));
        return this;
    }

    /** Adds the script with which pages of data are built: elements, tables, numbers in words. */
    public ChartPage elements() throws IOException {
        return script(RESOURCES + "elements.js");
    }

    /** Adds a script of the class path, behind those before. */
    public ChartPage script(String path) throws IOException {
        scripts.add(text(path));
        return this;
    }

    /** Adds the data that the scripts show: nothing ends them but their end tag, or needs care but what starts a comment. */
    public ChartPage data(Object content) throws IOException {
        String json = JSON.writeValueAsString(content).replace("<", "\\u003c");
        data = "<script id=\"data\" type=\"application/json\">" + json + "</script>\n";
        return this;
    }

    /** Lets the page ask the host that it came from for more. */
    public ChartPage asksItsHost() {
        connections = "; connect-src 'self'";
        return this;
    }

    /** The whole page, with a body of the class path. */
    public String with(String body) throws IOException {
        return with(body, Map.of());
    }

    /**
     * The whole page, with a body of the class path.
     *
     * @param texts what stands in the body's slots, which look like {@code {{name}}}
     */
    public String with(String body, Map<String, String> texts) throws IOException {
        Map<String, String> escaped = texts.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, text -> escaped(text.getValue())));
        return filled(
                text(RESOURCES + "page.html"),
                Map.of(
                        "title", escaped(title),
                        "policy", policy(),
                        "styles", elements("style", styles),
                        "body", filled(text(body), escaped),
                        "data", data,
                        "scripts", elements("script", scripts)));
    }

    private static String filled(String template, Map<String, String> slots) {
        StringBuilder filled = new StringBuilder();
        int copied = 0;
        for (Matcher slot = SLOT.matcher(template); slot.find(); copied = slot.end()) {
            String content = slots.get(slot.group(1));
            if (content == null) {
                throw new IllegalStateException("nothing for " + slot.group());
            }
            filled.append(template, copied, slot.start()).append(content);
        }
        return filled.append(template, copied, template.length()).toString();
    }

    private static String elements(String name, List<String> contents) {
        return contents.stream()
                .map(content -> "<" + name + ">" + content + "</" + name + ">\n")
                .collect(Collectors.joining());
    }

    /** Charts set styles of single elements, of which no hash is known. */
    private String policy() {
        return "default-src 'none'; script-src" + hashes(scripts) + "; style-src" + hashes(styles)
                + "; style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'" + connections;
    }

    private static String hashes(List<String> contents) {
        return contents.stream()
                .map(content -> " 'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(content)) + "'")
                .collect(Collectors.joining());
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static String library() throws IOException {
        Properties webjar = new Properties();
        try (InputStream properties = open(WEBJAR)) {
            webjar.load(properties);
        }
        return text("/META-INF/resources/webjars/echarts/" + webjar.getProperty("version") + "/echarts.common.min.js");
    }

    private static String text(String path) throws IOException {
        try (InputStream resource = open(path)) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static InputStream open(String path) {
        InputStream resource = ChartPage.class.getResourceAsStream(path);
        if (resource == null) {
            throw new IllegalStateException(path + " is not on the class path");
        }
        return resource;
    }
}
