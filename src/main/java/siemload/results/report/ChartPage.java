package siemload.results.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import siemload.config.RegularFile;
import siemload.config.Sha256;

/**
 * A self-contained page with charts: style, chart library, scripts and data are in the page, so that it opens offline and sends no
 * requests. The page's content security policy allows its own scripts and styles, by their hashes, and nothing else. Used by one thread.
 */
public final class ChartPage {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RESOURCES = "/siemload/results/report/";
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

    private final String title;
    private final List<String> styles = new ArrayList<>();
    private final List<String> scripts = new ArrayList<>();
    private String data = "";
    private String connections = "";

    /** Begins a page with the styles, charts and elements that all pages share. */
    public ChartPage(String title) throws IOException {
        this.title = title.replace("&", "&amp;").replace("<", "&lt;");
        Properties webjar = new Properties();
        webjar.load(new StringReader(
                RegularFile.resource(ChartPage.class, "/META-INF/maven/org.webjars/echarts/pom.properties")));
        style(RESOURCES + "report.css");
        script("/META-INF/resources/webjars/echarts/" + webjar.getProperty("version") + "/echarts.common.min.js");
        script(RESOURCES + "charts.js");
        script(RESOURCES + "elements.js");
    }

    /** Adds a style sheet from the class path. */
    public ChartPage style(String path) throws IOException {
        styles.add(RegularFile.resource(ChartPage.class, path));
        return this;
    }

    /** Adds a script from the class path after all scripts that were added before. */
    public ChartPage script(String path) throws IOException {
        scripts.add(RegularFile.resource(ChartPage.class, path));
        return this;
    }

    /** Adds the data for the scripts with each {@code <} escaped, since end tags and comments in the data would break the page. */
    public ChartPage data(Object content) throws IOException {
        data = JSON.writeValueAsString(content).replace("<", "\\u003c");
        return this;
    }

    /** Lets the page send requests to its own host. */
    public ChartPage asksItsHost() {
        connections = "; connect-src 'self'";
        return this;
    }

    /**
     * Returns the whole page. The page keeps the browser from fetching, whatever the data contain.
     *
     * @param elsewhere the subject and verb of a sentence for browsers without scripts: {@code summary.md in the same directory says}
     */
    public String html(String elsewhere) throws IOException {
        // Charts set styles of single elements, whose hashes are not known.
        String policy = "default-src 'none'; script-src" + hashes(scripts) + "; style-src" + hashes(styles)
                + "; style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'" + connections;
        Map<String, String> parts = Map.ofEntries(
                Map.entry("policy", policy),
                Map.entry("title", title),
                Map.entry("styles", elements("style", styles)),
                Map.entry("elsewhere", elsewhere),
                Map.entry("data", data),
                Map.entry("scripts", elements("script", scripts)));
        return PLACE.matcher(RegularFile.resource(ChartPage.class, RESOURCES + "page.html"))
                .replaceAll(place -> Matcher.quoteReplacement(parts.getOrDefault(place.group(1), "")));
    }

    private static String elements(String name, List<String> contents) {
        return contents.stream()
                .map(content -> "<" + name + ">" + content + "</" + name + ">\n")
                .collect(Collectors.joining());
    }

    private static String hashes(List<String> contents) {
        return contents.stream()
                .map(content -> " 'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(content)) + "'")
                .collect(Collectors.joining());
    }
}
