package siemload.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/**
 * One page that holds all it needs: style, charts, scripts and data. It opens offline and asks no host for anything.
 * Stateless and thread-safe.
 */
final class HtmlReport {
    private static final String WEBJAR = "/META-INF/maven/org.webjars/echarts/pom.properties";
    private static final ObjectMapper JSON = new ObjectMapper();

    private HtmlReport() {}

    /** The whole page. */
    static String of(ObjectNode data) throws IOException {
        String page = resource("report.html");
        page = filled(page, "style", resource("report.css"));
        page = filled(page, "title", escaped(data.path("run").path("runId").asText()));
        page = filled(page, "echarts", charts());
        page = filled(page, "charts", resource("charts.js"));
        page = filled(page, "page", resource("page.js"));
        return filled(page, "data", json(data));
    }

    private static String filled(String page, String slot, String content) {
        String mark = "{{" + slot + "}}";
        int at = page.indexOf(mark);
        if (at < 0) {
            throw new IllegalStateException("report.html has no " + mark);
        }
        return page.substring(0, at) + content + page.substring(at + mark.length());
    }

    /** Within a script element nothing ends it but its end tag, and nothing else needs care but what starts a comment. */
    static String json(ObjectNode data) {
        try {
            return JSON.writeValueAsString(data).replace("<", "\\u003c");
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree is always JSON", impossible);
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static String charts() throws IOException {
        Properties webjar = new Properties();
        try (InputStream properties = open(WEBJAR)) {
            webjar.load(properties);
        }
        return text("/META-INF/resources/webjars/echarts/" + webjar.getProperty("version") + "/echarts.common.min.js");
    }

    private static String resource(String name) throws IOException {
        return text("/siemload/report/" + name);
    }

    private static String text(String path) throws IOException {
        try (InputStream resource = open(path)) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static InputStream open(String path) {
        InputStream resource = HtmlReport.class.getResourceAsStream(path);
        if (resource == null) {
            throw new IllegalStateException(path + " is not on the class path");
        }
        return resource;
    }
}
